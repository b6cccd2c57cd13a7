import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { makeRelease, withFile } from '#api/test/delivery/pack-release.ts';
import { findDeadOrigin, listen } from '#api/test/listen.ts';
import { makeFolder, writeFiles } from '#api/test/make-folder.ts';
import { openReleaseTerminal } from '#api/test/programs/open-release-terminal.ts';
import { checkWithoutToken } from './publish-commands.ts';

const NOTHING =
  'Nothing to publish: visitors have been given tools@1.0.0 already. To publish what changed since, raise the version in package.json.';

test('with --if-new a version that was already published is skipped, whatever its files are', async () => {
  const { typeTo, build, api } = await openReleaseTerminal();
  build('0.9.0');
  await typeTo('publish', 'tools', '--promote');
  build('1.0.0');
  const publish = () => typeTo('publish', 'tools', '--canary', '10', '--if-new');
  expect((await publish()).out).toContain('tools: stable 0.9.0, canary 1.0.0 at 10 %');

  // A package was updated, which changes what is built.
  build('1.0.0', { routes: [buildRoute('/encrypter')] });
  expect((await typeTo('publish', 'tools', '--canary', '10')).err).toContain(
    'is published already, with other content',
  );
  const before = await api.db.selectFrom('channel').selectAll().execute();
  for (const change of [
    ['canary', 'tools', '--percent', '50'],
    ['promote', 'tools'],
    ['rollback', 'tools'],
  ]) {
    expect(await publish()).toMatchObject({ code: 0, out: NOTHING });
    expect(await typeTo(...change)).toMatchObject({ code: 0 });
  }
  // Taken back, it stays so.
  expect(await publish()).toMatchObject({ code: 0, out: NOTHING });
  expect(JSON.parse((await typeTo('publish', 'tools', '--if-new', '--json')).out)).toMatchObject({
    outcome: 'served',
    version: '1.0.0',
    detail: NOTHING,
  });
  expect(await api.db.selectFrom('channel').selectAll().execute()).not.toEqual(before);
});

test('with --if-new a repeated job for an old version does not roll visitors back', async () => {
  const { typeTo, build, api } = await openReleaseTerminal();
  for (const version of ['0.8.0', '0.9.0', '1.0.0']) {
    build(version);
    await typeTo('publish', 'tools', '--promote');
  }
  const before = await api.db.selectFrom('channel').selectAll().execute();
  build('0.8.0');

  expect(await typeTo('publish', 'tools', '--promote', '--if-new')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Nothing to publish') as string,
  });
  expect(await api.db.selectFrom('channel').selectAll().execute()).toEqual(before);
});

test('with --if-new a publication whose channel update failed is resumed', async () => {
  const { typeTo, type, build } = await openReleaseTerminal();
  build('0.9.0');
  await typeTo('publish', 'tools', '--promote');
  build('1.0.0');
  await type('lock', 'tools', '--reason', 'holidays');
  expect((await typeTo('publish', 'tools', '--canary', '10', '--if-new')).code).toBe(1);
  await type('unlock', 'tools');

  expect(await typeTo('publish', 'tools', '--canary', '10', '--if-new')).toMatchObject({
    code: 0,
    out: expect.stringContaining('tools: stable 0.9.0, canary 1.0.0 at 10 %') as string,
  });
});

test('without a token a release is checked against itself and the public data of the site', async () => {
  const { api, build, registry, type, typeWith } = await openReleaseTerminal();
  build('1.0.0', { contract: { version: '1.2' } }, 'shell');
  expect((await type('publish', 'shell', '--promote')).code).toBe(0);
  build('1.0.0', { routes: [buildRoute('/plans')] }, 'marketing');
  expect((await type('publish', 'marketing', '--promote')).code).toBe(0);
  await registry.refresh();
  const releases = await api.db.selectFrom('release').selectAll().execute();
  const check = () => typeWith(undefined, 'check', 'tools');

  build('1.0.0', { contract: { version: '1.1' } });
  expect(await check()).toMatchObject({
    code: 0,
    out: expect.stringContaining(`tools@1.0.0 fits what ${api.origin} tells everybody.`) as string,
  });

  build('1.0.0', { contract: { version: '1.3' }, routes: [buildRoute('/plans')] });
  expect(await check()).toMatchObject({
    code: 1,
    err: 'Building tools …\ntools@1.0.0 requires host API 1.3, the shell provides 1.2 (shell@1.0.0)\n/plans belongs to marketing',
  });

  writeFileSync(join(build('1.0.0'), 'static/css/a.css'), 'h1 { color: red }');
  expect((await check()).err).toContain('static/css/a.css is not the file that release.json lists');
  expect(await typeWith(undefined, 'publish', 'tools')).toMatchObject({
    code: 2,
    err: expect.stringContaining('as RELEASE_TOKEN') as string,
  });
  expect(await api.db.selectFrom('release').selectAll().execute()).toEqual(releases);
});

test('without a token the pages that the unit already has on the site are no conflict', async () => {
  const { build, registry, type, typeWith } = await openReleaseTerminal();
  const routes = [buildRoute('/encrypter')];
  build('1.0.0', { routes });
  await type('publish', 'tools', '--promote');
  await registry.refresh();
  build('1.1.0', { routes });

  expect(await typeWith(undefined, 'check', 'tools')).toMatchObject({ code: 0 });
});

test.each([
  ['styles of the whole page', 'a.css', 'h1 { color: red }', 'a.css:1:1: h1 styles the page outside of the unit'],
  ['files over the budget', 'a.js', ' '.repeat(240_000), 'a.js needs 240 kB of scripts and styles'],
])('without a token %s are reported', async (_what, name, content, problem) => {
  const { api } = await openReleaseTerminal();
  const files = withFile(makeRelease('tools', '1.0.0'), name, Buffer.from(content));

  await expect(checkWithoutToken(api.origin, writeFiles(makeFolder(), files))).rejects.toThrow(problem);
});

test('without a token no compatibility is reported when the product does not answer', async () => {
  const { build } = await openReleaseTerminal();
  const folder = build('1.0.0');
  const other = await listen((_req, res) => res.end('{}'));

  await expect(checkWithoutToken(await findDeadOrigin(), folder)).rejects.toThrow('Is the site running there?');
  await expect(checkWithoutToken(other, folder)).rejects.toThrow('but not as this product does: check the address');
});
