import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { publishedSchema } from '@app/contracts/registry';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { makeRelease, packTar, withFile } from '#api/test/delivery/pack-release.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';
import { createDeployTokensRepository } from '#api/delivery/deploy-tokens/deploy-tokens.repository.ts';
import { BUDGET_BYTES, MAX_SERVER_BYTES } from '#api/delivery/store/staged-release.ts';
import { promoteReleases } from '#api/delivery/channels/channel-changes.ts';
import { revokeDeployToken } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { readAudit } from '#api/test/sealed.ts';

type Site = Awaited<ReturnType<typeof createPublishFixture>>;

/** A part of React DOM. */
const REACT_COPY = Buffer.from('const key = "__reactContainer$" + Math.random();');
const NEXT_RELEASE = makeRelease('tools', '0.2.0', { routes: [buildRoute('/portfolio'), buildRoute('/encrypter')] });

const ARCHIVE = gzipSync(await packTar(NEXT_RELEASE));

async function read(answer: Response) {
  return { status: answer.status, ...v.parse(publishedSchema, await answer.json()) };
}

describe('PUT /api/releases/:unit/:version', () => {
  test('a published release is stored, and not served before a channel names it', async () => {
    const site = await createPublishFixture();

    expect(await read(await site.publish('tools', '0.2.0', NEXT_RELEASE))).toMatchObject({
      status: 201,
      outcome: 'published',
      unit: 'tools',
      version: '0.2.0',
    });
    expect(await (await site.ask('/portfolio')).text()).not.toContain('0.2.0');
    expect((await site.ask('/releases/tools/0.2.0/remoteEntry.js')).status).toBe(200);

    await promoteReleases(site, [{ unit: 'tools', version: '0.2.0' }], { by: 'olga', at: site.now() });
    await site.registry.refresh();
    expect(await (await site.ask('/portfolio')).text()).toContain('/releases/tools/0.2.0/');
    expect(site.incoming()).toEqual([]);
  });

  test('registry and audit name the release and its publisher', async () => {
    const site = await createPublishFixture();
    await site.publish('tools', '0.2.0', NEXT_RELEASE);

    const row = await site.db
      .selectFrom('release')
      .selectAll()
      .where('version', '=', '0.2.0')
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      unit: 'tools',
      publishedBy: 'Team tools',
      lastStableAt: null,
      manifest: String(NEXT_RELEASE.get('release.json')),
    });
    expect((await readAudit(site.db)).at(-1)).toEqual({
      kind: 'release',
      code: 'published',
      detail: { unit: 'tools', version: '0.2.0', digest: row.digest, by: 'Team tools' },
    });
  });

  test('threat 38: republishing the same files changes nothing, other files under the same version are rejected', async () => {
    const site = await createPublishFixture();
    await site.publish('tools', '0.2.0', NEXT_RELEASE);

    expect(await read(await site.publish('tools', '0.2.0', NEXT_RELEASE))).toMatchObject({
      status: 200,
      outcome: 'unchanged',
    });
    const other = await site.publish('tools', '0.2.0', makeRelease('tools', '0.2.0'));
    expect([other.status, await other.json()]).toEqual([
      409,
      expect.objectContaining({
        code: 'release.exists',
        problems: ['tools@0.2.0 is published already, with other content: raise the version'],
      }),
    ]);
    expect(site.incoming()).toEqual([]);
  });

  test('republishing repairs files missing from the store', async () => {
    const site = await createPublishFixture();
    await site.publish('tools', '0.2.0', NEXT_RELEASE);
    for (const name of ['remoteEntry.js', 'remoteEntry.js.br', 'remoteEntry.js.gz'])
      rmSync(join(site.store.folder, 'tools/0.2.0', name));
    expect((await site.ask('/releases/tools/0.2.0/remoteEntry.js')).status).toBe(404);

    await site.publish('tools', '0.2.0', NEXT_RELEASE, '?check');
    expect((await site.ask('/releases/tools/0.2.0/remoteEntry.js')).status).toBe(404);
    await site.publish('tools', '0.2.0', NEXT_RELEASE);
    expect((await site.ask('/releases/tools/0.2.0/remoteEntry.js')).status).toBe(200);
  });

  test('a dry run reports what would change, and stores nothing', async () => {
    const site = await createPublishFixture();
    const revision = site.registry.snapshot().revision;

    expect(await read(await site.publish('tools', '0.2.0', NEXT_RELEASE, '?check'))).toMatchObject({
      status: 200,
      outcome: 'fit',
      changes: {
        from: '0.1.0',
        contract: { before: '1.0', after: '1.0' },
        pages: { added: ['/encrypter'], removed: [] },
        files: { added: 1, removed: 1, kept: 1 },
      },
    });
    const refused = await site.publish(
      'tools',
      '0.2.0',
      makeRelease('tools', '0.2.0', { css: ['gone.css'] }),
      '?check',
    );
    expect(refused.status).toBe(422);

    await site.registry.refresh();
    expect([site.incoming(), site.registry.snapshot().revision]).toEqual([[], revision]);
    expect(await site.registry.find('tools', '0.2.0')).toBeUndefined();
  });

  test('threat 38: a page or a lazily loaded file over the site’s budget is rejected', async () => {
    const site = await createPublishFixture();
    const chunk = Buffer.alloc(BUDGET_BYTES.remote + 1, ' ');

    for (const [name, needed, what] of [
      ['chunk.js', { preload: ['chunk.js'] }, '/portfolio'],
      ['chunk.css', { css: ['chunk.css'] }, '/portfolio'],
      ['chunk.js', {}, 'chunk.js'],
      ['chunk.css', {}, 'chunk.css'],
    ] satisfies [string, { preload?: string[]; css?: string[] }, string][]) {
      const routes = [buildRoute('/portfolio', { preload: [], css: [], ...needed })];
      const files = withFile(makeRelease('tools', '0.2.0', { routes }), name, chunk);
      const refused = await site.publish('tools', '0.2.0', files);
      expect([refused.status, await refused.json()]).toEqual([
        422,
        expect.objectContaining({
          problems: [`${what} needs 231 kB of scripts and styles, the site's budget for a unit is 230 kB`],
        }),
      ]);
    }
    const translations = { it: { script: 'light.js' }, vi: { script: 'chunk.js' } };
    const heavy = withFile(makeRelease('tools', '0.2.0', { translations }), 'light.js', Buffer.from(' '));
    const inVietnamese = await site.publish('tools', '0.2.0', withFile(heavy, 'chunk.js', chunk));
    expect([inVietnamese.status, await inVietnamese.text()]).toEqual([
      422,
      expect.stringContaining("/portfolio needs 231 kB of scripts and styles, the site's budget"),
    ]);
    const fit = withFile(makeRelease('tools', '0.2.0'), 'chunk.js', chunk.subarray(1));
    expect((await site.publish('tools', '0.2.0', fit)).status).toBe(201);
  });

  test('threat 38: files needed by every page of a unit count for each page, whatever their names', async () => {
    const site = await createPublishFixture();
    const half = Buffer.alloc(BUDGET_BYTES.remote / 2, ' ');
    const sheets = withFile(
      withFile(makeRelease('tools', '0.2.0', { css: ['one.css', 'two.css'] }), 'one.css', half),
      'two.css',
      half,
    );
    expect(await (await site.publish('tools', '0.2.0', sheets)).json()).toMatchObject({
      problems: [expect.stringMatching(/^\/portfolio needs 231 kB/)],
    });

    for (const name of ['later.mjs', 'later.JS', 'later.cjs', 'later.ecma', 'later']) {
      const large = withFile(makeRelease('tools', '0.2.0'), name, Buffer.alloc(BUDGET_BYTES.remote + 1, ' '));
      expect((await site.publish('tools', '0.2.0', large)).status, name).toBe(422);
      const copy = withFile(makeRelease('tools', '0.2.0'), name, REACT_COPY);
      expect(await (await site.publish('tools', '0.2.0', copy)).json()).toMatchObject({
        problems: [`${name} contains a copy of react-dom, which the page has already`],
      });
    }
    const utf16 = withFile(
      makeRelease('tools', '0.2.0'),
      'own.js',
      Buffer.from(`\ufeff${REACT_COPY.toString()}`, 'utf16le'),
    );
    expect(await (await site.publish('tools', '0.2.0', utf16)).json()).toMatchObject({
      problems: ['own.js is not UTF-8'],
    });
  });

  test('threat 38: the size of server bundles is bounded', async () => {
    const site = await createPublishFixture();
    for (const name of ['server.cjs', 'server.cjs.map']) {
      const files = withFile(makeRelease('tools', '0.2.0'), name, Buffer.alloc(MAX_SERVER_BYTES + 1, ' '));
      expect(await (await site.publish('tools', '0.2.0', files)).json(), name).toMatchObject({
        problems: [`${name} is larger than 2500 kB`],
      });
    }
  });

  test('the shell may bundle shared packages and has a budget of its own; files other than code are exempt', async () => {
    const site = await createPublishFixture();
    const publish = async (unit: string, name: string, content: Buffer) => {
      const version = `0.${String(content.length)}.0`;
      return (await site.publish(unit, version, withFile(makeRelease(unit, version), name, content))).status;
    };
    const large = Buffer.concat([REACT_COPY, Buffer.alloc(BUDGET_BYTES.shell, ' ')]);

    expect(await publish('tools', 'picture.js.svg', large)).toBe(201);
    expect(await publish('shell', 'static/js/own.js', large.subarray(0, BUDGET_BYTES.shell))).toBe(201);
    expect(await publish('shell', 'static/js/own.js', large)).toBe(422);
  });

  test('threat 38: a release built with another major version of React than the shared one is rejected', async () => {
    const site = await createPublishFixture();
    const versions = (react: string) => ({ contract: { version: '1.0', versions: { react } } });
    await site.publish('shell', '0.2.0', makeRelease('shell', '0.2.0', versions('19.3.1')));
    await promoteReleases(site, [{ unit: 'shell', version: '0.2.0' }], { by: 'olga', at: site.now() });

    expect((await site.publish('tools', '0.2.0', makeRelease('tools', '0.2.0', versions('19.0.0')))).status).toBe(201);
    const refused = await site.publish('tools', '0.3.0', makeRelease('tools', '0.3.0', versions('18.3.1')));
    expect(await refused.json()).toMatchObject({
      code: 'release.invalid',
      problems: ['tools@0.3.0 was built with react 18.3.1, the shell shares 19.3.1 (shell@0.2.0)'],
    });
  });

  test('a stable page is removed only if the publication names it, and this is audited', async () => {
    const site = await createPublishFixture();
    const without = makeRelease('tools', '0.2.0', { routes: [buildRoute('/encrypter')] });

    for (const query of ['', '?check', '?removePage=/encrypter', '?removePage=/encrypter&removePage=/gate'])
      expect(await (await site.publish('tools', '0.2.0', without, query)).json()).toMatchObject({
        code: 'release.invalid',
        problems: ['/portfolio is a page of 0.1.0, the stable one: name it with --remove-page if it is to go'],
      });
    expect((await site.publish('tools', '0.2.0', without, '?removePage=/gate&removePage=/portfolio')).status).toBe(201);

    expect((await readAudit(site.db)).at(-1)?.detail).toMatchObject({ version: '0.2.0', removedPages: '/portfolio' });
  });

  test('a release without a commit is accepted with a notice', async () => {
    const site = await createPublishFixture();
    const routes = [buildRoute('/portfolio')];

    expect((await read(await site.publish('tools', '0.2.0', NEXT_RELEASE))).notices).toEqual([]);
    const { notices } = await read(
      await site.publish('tools', '0.3.0', makeRelease('tools', '0.3.0', { commit: null, routes })),
    );
    expect(notices).toEqual([expect.stringContaining('names no commit')]);
  });

  test('threat 39: a token revoked during the upload publishes nothing', async () => {
    const site = await createPublishFixture();
    await site.publish('tools', '0.3.0', makeRelease('tools', '0.3.0'));
    const sent = await beginSending(site);
    for (const { id } of await createDeployTokensRepository(site.db).list())
      await revokeDeployToken({ db: site.db }, id, { by: 'test', at: site.now() });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.end(ARCHIVE.subarray(100));

    const [answer] = await answered;
    expect(answer.statusCode).toBe(401);
    expect(await site.registry.find('tools', '0.2.0')).toBeUndefined();
    await expect.poll(() => site.incoming()).toEqual([]);
  });

  test('threat 38: without a token, or with one of another unit, nothing is unpacked', async () => {
    const site = await createPublishFixture();
    const body = new Uint8Array(gzipSync(await packTar(NEXT_RELEASE)));

    for (const headers of [{}, { authorization: `Bearer ${site.tokenOf('shell')}` }] as Record<string, string>[]) {
      const answer = await site.ask('/api/releases/tools/0.2.0', { method: 'PUT', headers, body });
      expect([401, 403]).toContain(answer.status);
    }
    expect(site.incoming()).toEqual([]);
  });

  test('rejects an invalid version', async () => {
    const site = await createPublishFixture();

    expect((await site.publish('tools', '1', NEXT_RELEASE)).status).toBe(400);
    expect((await site.publish('tools', '1.0.0%2f..', NEXT_RELEASE)).status).toBe(400);
  });

  test('two uploads run concurrently; a third has to wait, and an aborted one frees its place', async () => {
    const site = await createPublishFixture();
    const [one, two] = [await beginSending(site), await beginSending(site)];

    const third = await site.publish('tools', '0.2.0', NEXT_RELEASE);
    expect([third.status, third.headers.get('retry-after')]).toEqual([503, '5']);

    one.destroy();
    two.destroy();
    await expect.poll(site.incoming).toEqual([]);
    expect((await site.publish('tools', '0.2.0', NEXT_RELEASE)).status).toBe(201);
  });
});

/** Sends the beginning of a release, and returns when the server unpacks it. */
async function beginSending(site: Site) {
  const before = site.incoming().length;
  const sent = request(`${site.origin}/api/releases/tools/0.2.0`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${site.tokenOf('tools')}` },
  });
  sent.on('error', () => undefined).write(ARCHIVE.subarray(0, 100));
  await once(sent, 'socket');
  await expect.poll(() => site.incoming().length).toBe(before + 1);
  return sent;
}
