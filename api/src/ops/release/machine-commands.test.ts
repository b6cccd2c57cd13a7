import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { addWebhook } from '#api/foundation/webhooks/change-webhooks.ts';
import { createWebhookSigner } from '#api/foundation/webhooks/webhook-signer.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { list } from '#api/test/delivery/pack-release.ts';
import { openReleaseTerminal } from '#api/test/programs/open-release-terminal.ts';
import { readAudit } from '#api/test/sealed.ts';

const DAY = 24 * 60 * 60 * 1000;

test('tokens are listed without their secrets', async () => {
  const { type, api } = await openReleaseTerminal();
  const shown = await type('token', 'create', 'marketing', '--for', 'Mia');
  const [token = ''] = shown.out.split('\n');

  const { out } = await type('token', 'list');
  expect(token).toMatch(/^deploy_[\w-]{32}$/);
  expect(out).not.toContain(token);
  expect(out).toMatch(/marketing +Mia +works +.* by ada .* never/);
  expect(shown.out).toContain(new Date(api.now() + 90 * DAY).toISOString().slice(0, 10));
});

test('a new unit may publish its own pages and not those of another unit', async () => {
  const { type, build } = await openReleaseTerminal();

  expect(await type('unit', 'add', 'shop', '--paths', '/shop', '/shop/*')).toMatchObject({ code: 0 });
  expect((await type('unit', 'list')).out).toMatch(/shop +paths +\/shop \/shop\/\*/);
  const folder = build('1.0.0', { routes: [buildRoute('/shop/hats')] }, 'shop');
  expect(await type('publish', 'shop', '--from', folder)).toMatchObject({ code: 0 });

  expect((await type('unit', 'add', 'shop', '--paths', '/other')).err).toBe('There is a unit shop already');
  expect((await type('unit', 'add', 'gates', '--paths', '/gate')).err).toBe('/gate belongs to key-system');
  expect((await type('unit', 'add', 'gates', '--paths', 'gate')).err).toContain('gate is no path such as /shop');
});

test('the list of units shows their publishers and contacts without tokens and addresses', async () => {
  const { type, api, tokenOf } = await openReleaseTerminal();
  const token = await tokenOf('marketing');
  const signer = createWebhookSigner(TEST_PEPPER);
  const webhook = { scope: 'unit', owner: 'marketing', events: ['canary.halted'] } as const;
  const act = { by: 'ada', at: api.now() };
  const added = await addWebhook({ db: api.db, signer }, { ...webhook, url: 'https://hooks.example/secret' }, act);
  const revoked = JSON.parse((await type('token', 'create', 'tools', '--for', 'Max', '--json')).out) as { id: string };
  await type('token', 'revoke', revoked.id);

  const { out } = await type('unit', 'list');
  const all = JSON.parse((await type('unit', 'list', '--json')).out) as { unit: string }[];

  expect(out).toMatch(
    /marketing +paths +\S.*\n +channels +stable none\n +token +marketing CI \(\w+\), until .*, never used/,
  );
  expect(out).toContain(`webhook   hooks.example (${added?.id ?? ''}), canary.halted`);
  for (const secret of [token ?? '', 'secret', added?.secret ?? '', 'Max']) expect(out).not.toContain(secret);
  expect(all.find(({ unit }) => unit === 'marketing')).toMatchObject({
    stable: null,
    tokens: [{ for: 'marketing CI', lastUsedAt: null }],
    webhooks: [{ host: 'hooks.example', disabledAt: null }],
  });
  api.pass(2 * DAY);
  expect((await type('unit', 'list')).out).toContain(', ended ');
});

test('a unit without a page can be removed with its tokens, channels, releases and files', async () => {
  const { type, build, api, registry, store, tokenOf, typeWith } = await openReleaseTerminal();
  await type('unit', 'add', 'shop', '--paths', '/shop');
  const token = await tokenOf('shop');
  await addWebhook(
    { db: api.db, signer: createWebhookSigner(TEST_PEPPER) },
    { scope: 'unit', owner: 'shop', url: 'https://hooks.example/', events: ['canary.halted'] },
    { by: 'ada', at: api.now() },
  );
  build('1.0.0', { routes: [buildRoute('/shop')] }, 'shop');
  await type('publish', 'shop', '--promote');
  build('1.1.0', {}, 'shop');
  await type('publish', 'shop', '--remove-page', '/shop', '--canary', '5');

  // The canary has no such page, and the stable release has.
  expect(await type('unit', 'remove', 'shop')).toMatchObject({
    code: 1,
    err: '/shop is a page of shop, and no other unit has it',
  });
  await type('promote', 'shop');
  await type('lock', 'shop', '--reason', 'a campaign runs');
  expect((await type('unit', 'remove', 'shop')).err).toContain('a campaign runs');
  await type('unlock', 'shop');
  expect(await type('unit', 'remove', 'shop')).toMatchObject({
    code: 0,
    out: 'shop is no unit any more. Its releases went with it: 1.1.0, 1.0.0.',
  });

  expect((await type('unit', 'list')).out).not.toContain('shop');
  for (const table of ['channel', 'deployToken', 'release'] as const)
    expect(await api.db.selectFrom(table).select('unit').where('unit', '=', 'shop').execute()).toEqual([]);
  expect(await api.db.selectFrom('webhook').selectAll().execute()).toEqual([]);
  expect(await store.examine('shop', '1.0.0')).toEqual(['release.json is missing']);
  await registry.refresh();
  expect(registry.snapshot().units.has('shop')).toBe(false);
  expect(await registry.find('shop', '1.0.0')).toBeUndefined();
  expect((await typeWith(token, 'list')).code).toBe(1);
  expect((await readAudit(api.db)).find(({ code }) => code === 'unit removed')?.detail).toEqual({
    unit: 'shop',
    versions: '1.1.0 1.0.0',
    by: 'ada',
  });

  expect(await type('unit', 'add', 'store', '--paths', '/shop')).toMatchObject({ code: 0 });
  expect((await type('unit', 'remove', 'shop')).err).toBe('No unit has the name shop');
  expect((await type('unit', 'remove', 'shell')).err).toBe('The shell is in every page');
});

test('verify reports a file that changed on disk', async () => {
  const { type, build, store } = await openReleaseTerminal();
  build('1.0.0');
  await type('publish', 'tools');

  expect(await type('verify', 'tools')).toMatchObject({ code: 0, out: 'tools@1.0.0 is whole.' });
  writeFileSync(join(store.folder, 'tools/1.0.0/static/css/a.css'), 'a { color: rex }');
  expect(await type('verify', 'tools', '1.0.0')).toMatchObject({
    code: 1,
    out: expect.stringContaining('static/css/a.css is not the file that release.json lists') as string,
  });
  expect(await type('verify', 'tools', '2.0.0')).toMatchObject({ code: 1 });
});

/** Gives the release in a folder a package for repositories of teams. */
function addPack(folder: string): void {
  const release = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as { files: object };
  const name = 'packs/platform.12345678.tgz';
  const bytes = Buffer.from('a pack');
  mkdirSync(join(folder, 'packs'));
  writeFileSync(join(folder, name), bytes);
  writeFileSync(
    join(folder, 'release.json'),
    JSON.stringify({ ...release, files: { ...release.files, [name]: list(bytes) } }),
  );
}

test('gc keeps packs that lock files refer to for a year', async () => {
  const { type, build, api } = await openReleaseTerminal();
  const shells = async () =>
    (await api.db.selectFrom('release').select('version').where('unit', '=', 'shell').orderBy('version').execute()).map(
      (row) => row.version,
    );
  for (const version of ['8.0.0', '8.1.0', '8.2.0']) {
    api.pass(1000);
    const folder = build(version, {}, 'shell');
    if (version === '8.0.0') addPack(folder);
    await type('publish', 'shell', '--promote');
  }

  api.pass(364 * DAY);
  await type('gc');
  expect(await shells()).toEqual(['8.0.0', '8.1.0', '8.2.0']);
  api.pass(2 * DAY);
  await type('gc');
  expect(await shells()).toEqual(['8.1.0', '8.2.0']);
});

test('gc removes only releases that no channel has referred to for 30 days', async () => {
  const { type, build, api, store } = await openReleaseTerminal();
  const publish = (version: string, ...more: string[]) => {
    api.pass(1000);
    build(version);
    return type('publish', 'tools', ...more);
  };
  const kept = async () =>
    (await api.db.selectFrom('release').select('version').orderBy('version').execute()).map((row) => row.version);

  await publish('1.0.0', '--promote');
  await publish('1.1.0', '--promote');
  await publish('1.2.0', '--promote');
  await publish('1.3.0', '--canary', '5');
  await publish('1.4.0');
  api.pass(20 * DAY);
  await publish('1.5.0', '--canary', '5');
  api.pass(11 * DAY);

  const dry = await type('gc', '--dry-run');
  expect(dry.out).toMatch(/1\.4\.0 .*\n.*1\.0\.0 .*\nThese would be removed\.$/);
  expect(await kept()).toHaveLength(6);
  expect(await type('gc')).toMatchObject({ code: 0 });
  // The stable release, the fallback, the canary, and the canary that was replaced eleven days ago.
  expect(await kept()).toEqual(['1.1.0', '1.2.0', '1.3.0', '1.5.0']);
  expect(await store.examine('tools', '1.4.0')).toEqual(['release.json is missing']);
  expect(await store.examine('tools', '1.3.0')).toEqual([]);
  expect(await type('gc')).toMatchObject({ out: 'Every release is still needed.' });
  api.pass(20 * DAY);
  await type('gc');
  expect(await kept()).toEqual(['1.1.0', '1.2.0', '1.5.0']);
});

test('the audit records who added a unit and who removed a release', async () => {
  const { type, build, api } = await openReleaseTerminal();
  await type('unit', 'add', 'shop', '--paths', '/shop');
  build('1.0.0');
  await type('publish', 'tools');
  api.pass(31 * DAY);
  await type('gc');

  const events = await readAudit(api.db);
  const added = { unit: 'shop', paths: '/shop', by: 'ada' };
  expect(events).toContainEqual({ kind: 'release', code: 'unit added', detail: added });
  expect(events.at(-1)).toEqual({
    kind: 'release',
    code: 'removed',
    detail: { unit: 'tools', version: '1.0.0', digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string, by: 'ada' },
  });
});
