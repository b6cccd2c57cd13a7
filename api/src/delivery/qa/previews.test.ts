import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { publishedSchema, registrySchema } from '@app/contracts/registry';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { sweepPreviews } from '#api/delivery/publishing/collect-garbage.ts';
import { createDeployToken } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { createChannelsRepository } from '#api/delivery/registry/registry.repository.ts';
import { openCanary } from '#api/delivery/channels/channel-changes.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { makeRelease } from '#api/test/delivery/pack-release.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';
import { readAudit } from '#api/test/sealed.ts';

const DAY = 24 * 60 * 60 * 1000;
const FIRST_VERSION = '0.2.0-preview.0a1b2c3d4e5f';
const LEAVE_RESPONSE = { location: '/portfolio', status: 303 };

async function openFixture(db: Db) {
  const site = await createPublishFixture(db);
  /** Publishes a preview, and returns the path of its link. */
  const preview = async (version = FIRST_VERSION, query = '', unit = 'tools') => {
    const routes = unit === 'tools' ? [buildRoute('/portfolio'), buildRoute('/encrypter')] : [];
    const made = unit === 'shell' ? { contract: { version: '1.0', provides: { react: ['useState'] } } } : {};
    const answer = await site.publish(unit, version, makeRelease(unit, version, { routes, ...made }), query);
    const published = v.parse(publishedSchema, await answer.json());
    const { link = '', until = 0 } = published.preview ?? {};
    return { status: answer.status, link: link.replace(site.origin, ''), until };
  };
  const browser = () => {
    const jar = new Map<string, string>();
    return async (path: string, headers: Record<string, string> = {}) => {
      const answer = await site.ask(path, {
        redirect: 'manual',
        headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; '), ...headers },
      });
      for (const header of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
        if (header.includes('Max-Age=0')) jar.delete(name);
        else jar.set(name, value);
      }
      const text = await answer.text();
      return {
        status: answer.status,
        location: answer.headers.get('location'),
        version: /"tools":\{"version":"([^"]+)/.exec(text)?.[1],
        headers: answer.headers,
        text,
      };
    };
  };
  return { ...site, preview, browser };
}

describeEachDatabase('previews', (db) => {
  test('a preview link shows the preview only in browsers that opened it, without access', async () => {
    const site = await openFixture(db());
    const { status, link, until } = await site.preview();
    expect([status, until]).toEqual([201, site.now() + 7 * DAY]);
    expect(link).toMatch(/^\/portfolio\?pin=tools@0\.2\.0-preview\.0a1b2c3d4e5f&qa=[\w.-]+$/);

    for (const open of [site.browser(), site.browser()]) {
      expect(await open(link)).toMatchObject(LEAVE_RESPONSE);
      const page = await open('/portfolio');
      expect(page.version).toBe(FIRST_VERSION);
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('x-robots-tag')).toBe('noindex');
      expect((await open('/encrypter')).status).toBe(200);
    }
    const stranger = await site.browser()('/portfolio');
    expect(stranger.version).toBe('0.1.0');
    expect(stranger.headers.get('x-robots-tag')).toBeNull();
  });

  test('a preview shows no canary of another unit, and counts for none', async () => {
    const site = await openFixture(db());
    await site.publish('shell', '0.2.0', makeRelease('shell', '0.2.0', SHELL));
    const act = { by: 'olga', at: site.now() };
    const opened = await openCanary({ db: db() }, 'shell', { version: '0.2.0', percent: 100 }, act);
    expect(opened.outcome).toBe('moved');
    await site.registry.refresh();
    const { link } = await site.preview();

    const open = site.browser();
    await open(link);
    const page = await open('/portfolio');
    expect(page.text).toMatch(/"shell":\{"version":"0\.1\.0","source":"stable"/);
    await site.followRegistry();
    expect(await db().selectFrom('loadReport').selectAll().execute()).toEqual([]);

    expect((await site.browser()('/portfolio')).text).toMatch(/"shell":\{"version":"0\.2\.0","source":"canary"/);
  });

  test('an expired preview’s link, and its browsers, get a page that reports the expiry and offers the way out', async () => {
    const site = await openFixture(db());
    const { link } = await site.preview();
    const open = site.browser();
    await open(link);

    site.pass(7 * DAY - 2);
    expect((await open('/portfolio')).version).toBe(FIRST_VERSION);
    site.pass(2);
    for (const [browser, path] of [
      [open, '/portfolio?a=1'],
      [site.browser(), link],
    ] as const) {
      // An open page asks for what its next load would get, which changes nothing.
      expect((await browser('/api/federation/resolution?for=/portfolio')).headers.getSetCookie()).toEqual([]);
      const ended = await browser(path, { 'accept-language': 'vi' });
      expect([ended.status, ended.headers.get('cache-control')]).toEqual([410, 'no-store']);
      expect(ended.text).toContain('Bản xem thử này đã hết hạn');
    }
    const { text } = await open('/portfolio?a=1');
    expect(text).toContain('This preview has ended');
    expect(text).toContain('href="?a=1&amp;pin=none"');
    expect(await open('/portfolio?a=1&pin=none')).toMatchObject({ status: 303, location: '/portfolio?a=1' });
    expect((await open('/portfolio')).version).toBe('0.1.0');
  });

  test('a tampered preview link is rejected, and a preview can be left before its expiry', async () => {
    const site = await openFixture(db());
    const { link } = await site.preview();
    await site.preview('0.2.0-preview.ffffffffffff');

    for (const changed of [
      link.replace(FIRST_VERSION, '0.2.0-preview.ffffffffffff'),
      link.replace('tools@', 'shell@'),
      `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`,
      link.replace('qa=', 'qa=1'),
    ]) {
      const open = site.browser();
      expect((await open(changed)).status).toBe(410);
      expect((await open('/portfolio')).version).toBe('0.1.0');
    }
    const open = site.browser();
    expect((await open(link.replace(/&qa=.*/, ''))).headers.getSetCookie()[0]).toContain('__Host-qa-notice');
    await open(link);
    expect(await open('/portfolio?pin=none')).toMatchObject(LEAVE_RESPONSE);
    expect((await open('/portfolio')).version).toBe('0.1.0');
  });

  test('threat 57: a preview link on another site asks for confirmation, and a picture or a prefetch opens nothing', async () => {
    const site = await openFixture(db());
    const { link } = await site.preview();
    const from = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

    const asked = await site.visit(link, from);
    expect(await asked.text()).toContain('See a preview here?');
    const image = await site.visit(link, {
      ...from,
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'image',
    });
    const early = await site.visit(link, {
      ...from,
      'sec-fetch-site': 'none',
      'sec-purpose': 'prefetch',
    });
    expect([image.status, early.status]).toEqual([403, 403]);
    for (const { headers } of [asked, image, early]) expect(headers.getSetCookie()).toEqual([]);
    expect((await site.visit(link, { ...from, 'sec-fetch-site': 'none' })).status).toBe(303);
  });

  test('previews of two units are shown together until the first expires; a newer one of a unit replaces the older', async () => {
    const site = await openFixture(db());
    await createDeployToken({ db: db() }, { unit: 'shell', label: 'x', days: 1 }, { by: 'x', at: site.now() });
    const tools = await site.preview();
    const newer = await site.preview('0.2.0-preview.bbbbbbbbbbbb');
    const shell = await site.preview('0.9.0-preview.cccccccccccc', '?days=2', 'shell');
    const open = site.browser();

    await open(tools.link);
    await open(shell.link);
    const both = await open('/portfolio');
    expect([both.version, both.text.includes('"shell":{"version":"0.9.0-preview.cccccccccccc"')]).toEqual([
      FIRST_VERSION,
      true,
    ]);
    await open(newer.link);
    const next = await open('/portfolio');
    expect(next.version).toBe('0.2.0-preview.bbbbbbbbbbbb');
    expect(next.text).toContain('"shell":{"version":"0.9.0-preview.cccccccccccc"');

    site.pass(2 * DAY);
    expect((await open('/portfolio')).status).toBe(410);
    await open(newer.link);
    expect((await open('/portfolio')).version).toBe('0.2.0-preview.bbbbbbbbbbbb');
  });

  test('of two incompatible previews only the later one is shown', async () => {
    const site = await openFixture(db());
    const using = { contract: { version: '1.0', requires: { react: ['useState'] } } };
    const without = { contract: { version: '1.0', provides: { react: ['useId'] } } };
    const shell = '0.9.0-preview.cccccccccccc';
    const links = [];
    for (const [unit, version, made] of [
      ['tools', FIRST_VERSION, using],
      ['shell', shell, without],
    ] as const) {
      const answer = await site.publish(unit, version, makeRelease(unit, version, made));
      const { preview } = v.parse(publishedSchema, await answer.json());
      links.push(preview?.link.replace(site.origin, '') ?? '');
    }
    const open = site.browser();
    for (const link of links) await open(link);

    const page = await open('/portfolio');
    expect(page.text).toContain(`"shell":{"version":"${shell}"`);
    expect(page.text).not.toContain(FIRST_VERSION);
  });

  test('during a database outage no preview is reported as expired', async () => {
    const site = await openFixture(db());
    const open = site.browser();
    await open((await site.preview()).link);
    vi.spyOn(site.registry, 'find').mockRejectedValue(new Error('The database is away.'));

    expect((await open('/portfolio')).status).toBe(200);
  });

  test('a browser remembers an expired preview for a month', async () => {
    const site = await openFixture(db());
    const { link } = await site.preview();

    const kept = (await site.ask(link, { redirect: 'manual' })).headers.get('set-cookie');
    expect(kept).toContain(`Max-Age=${String(((7 + 30) * DAY) / 1000)};`);
  });

  test('a preview can be on no channel, is in no list of releases, and a canary without a version skips it', async () => {
    const site = await openFixture(db());
    await site.publish('tools', '0.2.0', makeRelease('tools', '0.2.0'));
    site.pass(1);
    await site.preview();

    for (const body of [
      { action: 'promote', version: FIRST_VERSION },
      { action: 'canary', version: FIRST_VERSION, percent: 10 },
      { action: 'rollback', version: FIRST_VERSION },
    ])
      expect(await (await site.change(body)).json()).toMatchObject({
        code: 'release.impossible',
        problems: [`${FIRST_VERSION} is a preview: publish the unit without --preview, and serve that`],
      });
    expect((await site.change({ action: 'canary', percent: 10 })).status).toBe(200);

    const headers = { authorization: `Bearer ${site.tokenOf('tools')}` };
    const { units } = v.parse(registrySchema, await (await site.ask('/api/releases', { headers })).json());
    const tools = units.find(({ unit }) => unit === 'tools');
    expect(tools?.canary?.version).toBe('0.2.0');
    expect(tools?.releases.map(({ version }) => version)).toEqual(['0.2.0', '0.1.0']);
    expect(tools?.previews).toMatchObject([
      { version: FIRST_VERSION, publishedBy: 'Team tools', until: site.now() + 7 * DAY },
    ]);
  });

  test('republishing extends a preview; on expiry its files are removed, audited, and its version may be reused', async () => {
    const site = await openFixture(db());
    await site.preview();
    site.pass(3 * DAY);
    expect(await site.preview()).toMatchObject({ status: 200, until: site.now() + 7 * DAY });
    site.pass(7 * DAY - 1);
    expect(await sweepPreviews(site, site.now())).toBe(0);

    const folder = join(site.store.folder, 'tools', FIRST_VERSION);
    site.pass(1);
    expect([existsSync(folder), await sweepPreviews(site, site.now()), existsSync(folder)]).toEqual([true, 1, false]);
    expect((await site.ask(`/releases/tools/${FIRST_VERSION}/remoteEntry.js`)).status).toBe(404);
    const removed = (await readAudit(db())).filter(({ code }) => code === 'removed');
    expect(removed).toMatchObject([{ detail: { unit: 'tools', version: FIRST_VERSION, by: 'preview sweep' } }]);
    expect((await site.preview()).status).toBe(201);
    expect(await site.isServed()).toBe(true);
  });

  test('a dry run for a published preview does not extend it', async () => {
    const site = await openFixture(db());
    await site.preview();
    site.pass(3 * DAY);
    expect((await site.preview(FIRST_VERSION, '?check')).status).toBe(200);

    site.pass(4 * DAY);
    expect(await sweepPreviews(site, site.now())).toBe(1);
  });

  test('a preview that a channel nevertheless names is kept', async () => {
    const site = await openFixture(db());
    await site.preview();
    await createChannelsRepository(db()).save('tools', { stable: '0.1.0', canary: FIRST_VERSION, canaryShare: 100 });

    site.pass(7 * DAY);
    expect(await sweepPreviews(site, site.now())).toBe(0);
  });

  test('a unit has at most twenty previews; the oldest is removed, and its browsers are notified', async () => {
    const site = await openFixture(db());
    const oldest = await site.preview();
    const open = site.browser();
    await open(oldest.link);
    for (let index = 10; index < 30; index += 1) {
      site.pass(1);
      await site.preview(`0.2.0-preview.aaaaaaaaaa${String(index)}`);
    }

    await site.registry.refresh();
    expect((await open('/portfolio')).status).toBe(410);
    expect((await site.browser()(oldest.link)).status).toBe(410);
    const rows = await db().selectFrom('release').select('version').where('unit', '=', 'tools').execute();
    expect(rows).toHaveLength(21);
    expect(await sweepPreviews(site, site.now())).toBe(1);
  });

  test('a preview may lack pages of the stable release, and expires after 1 to 30 days', async () => {
    const site = await openFixture(db());
    const version = '0.2.0-preview.eeeeeeeeeeee';
    const answer = await site.publish('tools', version, makeRelease('tools', version, { routes: [] }), '?days=1');
    expect(v.parse(publishedSchema, await answer.json()).preview).toMatchObject({ until: site.now() + DAY });
    for (const days of ['0', '31', '1.5', '-1', 'x', '1&days=2'])
      expect(
        await (await site.publish('tools', FIRST_VERSION, makeRelease('tools', FIRST_VERSION), `?days=${days}`)).json(),
      ).toMatchObject({ code: 'request.invalid', detail: '“days” must be a whole number from 1 to 30.' });
    const checked = await site.publish('tools', FIRST_VERSION, makeRelease('tools', FIRST_VERSION), '?check');
    expect(await checked.json()).not.toHaveProperty('preview');
  });
});

const SHELL = { contract: { version: '1.0', provides: { react: ['useState'] } } };
