import { afterEach, describe, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { insertLicence } from '#api/test/product/insert-licence.ts';
import {
  finishAtAdvertiser,
  HWID,
  LONG_ENOUGH_MS,
  passCaptcha,
  readState,
  requireLocation,
  WHO,
  ZONE,
} from '#api/test/product/visitor-steps.ts';
import { verifyKey } from '../../../../samples/typescript/verify-key.mjs';
import { addApp, changeApp, registeredAppSchema, removeApp, type RegisteredApp } from './change-apps.ts';
import { createAppsRepository } from './apps.repository.ts';
import * as v from 'valibot';

const ACT = { by: 'ada', at: 1 };

const TOOL: RegisteredApp = {
  id: 'tool',
  name: 'Script Tool',
  scheme: 'script-tool://key',
  colour: 'green',
  contact: 'mia@tool.example',
  steps: 2,
  advertisers: ['linkvertise', 'lootlabs'],
};

async function openWith(...apps: RegisteredApp[]): Promise<TestApi> {
  const api = await createTestApi();
  for (const app of apps) await addApp(api, app, ACT);
  return api;
}

/** Clicks Complete on the page of an app's step. */
function click(api: TestApi, app: string, query: Record<string, string | number> = {}): Promise<Response> {
  const all = new URLSearchParams({ hwid: HWID, zone: ZONE });
  for (const [name, value] of Object.entries(query)) all.set(name, String(value));
  return api.visit(`/api/apps/${app}/keysystem?${all.toString()}`);
}

/** Does one step, and returns the page that it leads to. */
async function walk(api: TestApi, app: string, query: Record<string, string | number> = {}): Promise<string> {
  const link = requireLocation(await click(api, app, query));
  api.pass(LONG_ENOUGH_MS);
  return requireLocation(await api.visit(await finishAtAdvertiser(api, link)));
}

async function askKey(api: TestApi, app: string): Promise<Record<string, unknown>> {
  return (await (await api.ask(`/api/key?${WHO}&app=${app}`)).json()) as Record<string, unknown>;
}

async function checkKey(api: TestApi, key: unknown, app: string): Promise<string> {
  const jwks = (await (await api.ask('/.well-known/jwks.json')).json()) as { keys: [] };
  const now = api.now() / 1000;
  return (await verifyKey({ key: String(key), hwid: HWID, app, jwks, now, highWater: 0 })).code;
}

async function checkThere(api: TestApi, key: unknown, app: string): Promise<unknown> {
  const res = await api.post('/api/key/verify', { key, hwid: HWID, app });
  return ((await res.json()) as { code: unknown }).code;
}

test('an app added by an operator gives keys that are valid in that app only', async () => {
  const api = await openWith(TOOL, { ...TOOL, id: 'other' });
  await passCaptcha(api);

  expect(await readState(api, { app: 'tool' })).toMatchObject({
    app: 'tool',
    about: {
      name: 'Script Tool',
      scheme: 'script-tool://key',
      colour: 'green',
      advertisers: ['linkvertise', 'lootlabs'],
    },
    advertisers: [
      { id: 'linkvertise', ok: true },
      { id: 'lootlabs', ok: true },
    ],
    stepsRequired: 2,
  });
  expect(JSON.stringify(await readState(api, { app: 'tool' }))).not.toContain('mia@tool.example');

  expect(await walk(api, 'tool', { advertiser: 'linkvertise' })).toBe(
    `/apps/key-system-2?app=tool&${WHO}&advertiser=linkvertise`,
  );
  expect(await readState(api, { app: 'tool' })).toMatchObject({ run: { step: 2, of: 2, series: 1 } });
  expect(await readState(api, { app: 'main' })).toMatchObject({ run: null });
  const returned = requireLocation(await click(api, 'tool', { advertiser: 'lootlabs', step: 2 }));
  expect(returned).toContain('/dev/advertiser/lootlabs/');
  api.pass(LONG_ENOUGH_MS);
  expect(requireLocation(await api.visit(await finishAtAdvertiser(api, returned)))).toBe(
    `/apps/key-system-getkey?app=tool&${WHO}`,
  );

  const { key } = await askKey(api, 'tool');
  expect(await checkKey(api, key, 'tool')).toBe('VALID');
  expect(await checkThere(api, key, 'tool')).toBe('VALID');
  for (const app of ['main', 'companion', 'other', 'sandbox']) {
    expect(await checkKey(api, key, app)).toBe('APP_MISMATCH');
    expect(await checkThere(api, key, app)).toBe('APP_MISMATCH');
    expect(await askKey(api, app)).toMatchObject({ status: 'none', app });
  }
});

test('in the sandbox app a run ends with a key by way of the sandbox advertiser', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  expect(await readState(api, { app: 'sandbox' })).toMatchObject({
    advertisers: [{ id: 'sandbox', ok: true }],
    stepsRequired: 1,
  });

  const link = requireLocation(await click(api, 'sandbox'));
  const page = await api.visit(link);
  expect(new URL(link).origin).toBe(api.origin);
  const [, goOn = ''] = /<a class="action" href="([^"]+)">Continue<\/a>/.exec(await page.text()) ?? [];
  api.pass(LONG_ENOUGH_MS);
  expect(requireLocation(await api.visit(goOn))).toBe(`/apps/key-system-getkey?app=sandbox&${WHO}`);

  const { key } = await askKey(api, 'sandbox');
  expect(await checkKey(api, key, 'sandbox')).toBe('VALID');
  expect(await checkKey(api, key, 'main')).toBe('APP_MISMATCH');
  expect(await readState(api)).toMatchObject({
    advertisers: expect.not.arrayContaining([{ id: 'sandbox', ok: true }]) as unknown,
  });
});

test.each([1, 9])('a run of %i steps ends with a key', async (steps) => {
  const api = await openWith({ ...TOOL, steps, advertisers: ['rinku'] });
  await passCaptcha(api);

  for (let step = 1; step < steps; step++)
    expect(await walk(api, 'tool', { step })).toContain(`/apps/key-system-${String(step + 1)}?app=tool&`);
  expect(await walk(api, 'tool', { step: steps })).toContain('/apps/key-system-getkey?app=tool');
});

test('an advertiser that the app does not offer falls back to the first one of the app', async () => {
  const api = await openWith({ ...TOOL, advertisers: ['lootlabs'] });
  await passCaptcha(api);

  for (const advertiser of ['linkvertise', 'sandbox', '__proto__', 'constructor'])
    expect(requireLocation(await click(api, 'tool', { advertiser }))).toContain('/dev/advertiser/lootlabs/');
});

test('visitors get the step link that an operator has set', async () => {
  const api = await openWith(TOOL);
  await passCaptcha(api);
  await api.db
    .updateTable('stepLink')
    .set({ url: 'https://elsewhere.example/1' })
    .where('appId', '=', 'tool')
    .where('step', '=', 1)
    .execute();

  expect(requireLocation(await click(api, 'tool'))).toContain('e=KS_PROVIDER_DOWN');
});

test('a step that was removed from its app leads to the account of its advertiser, not to the link of step 1', async () => {
  const api = await openWith(TOOL);
  await passCaptcha(api);
  await walk(api, 'tool');
  await changeApp(api, 'tool', (app) => ({ ...app, steps: 1 }), ACT);
  await api.db
    .updateTable('stepLink')
    .set({ url: 'https://elsewhere.example/1' })
    .where('appId', '=', 'tool')
    .execute();

  expect(requireLocation(await click(api, 'tool', { step: 2 }))).toContain('/dev/advertiser/linkvertise/');
});

describe('an unregistered app', () => {
  test.each(['unknown', 'constructor', '__proto__', '..%2Fmain', 'main', 'companion', 'A', 'x'.repeat(33), 'a%00b'])(
    'the unregistered app %s starts no run',
    async (app) => {
      const api = await createTestApi();
      const res = await click(api, app);

      expect(res.status).toBe(404);
      expect(await res.text()).toContain('app');
      expect(await api.db.selectFrom('device').selectAll().execute()).toEqual([]);
    },
  );

  test('an unregistered app is rejected by every call for apps', async () => {
    const api = await createTestApi();

    for (const call of ['/api/key?', '/api/keysystem/state?', '/api/keysystem/usual-run?']) {
      const res = await api.ask(`${call}${WHO}&app=constructor`);
      expect(res.status).toBe(404);
      expect(await res.json()).toMatchObject({ code: 'KS_APP' });
    }
    for (const app of ['__proto__', '../main', 'Main', 'a b'])
      expect((await api.ask(`/api/key?${WHO}&app=${encodeURIComponent(app)}`)).status).toBe(404);

    expect(await checkThere(api, 'a', 'constructor')).toBe('KS_APP');
  });

  test('an app can be registered under the name of an object member, such as constructor', async () => {
    const api = await openWith({ ...TOOL, id: 'constructor', steps: 1 });
    await passCaptcha(api);

    expect(await walk(api, 'constructor')).toBe(`/apps/key-system-getkey?app=constructor&${WHO}`);
    expect(await checkKey(api, (await askKey(api, 'constructor'))['key'], 'constructor')).toBe('VALID');
  });
});

test('a ticket counts for the app of its run, whatever app the address names', async () => {
  const api = await openWith(TOOL, { ...TOOL, id: 'other' });
  await passCaptcha(api);
  const link = requireLocation(await click(api, 'tool'));
  api.pass(LONG_ENOUGH_MS);
  const back = await finishAtAdvertiser(api, link);

  expect(requireLocation(await api.visit(`${back}&app=other`))).toContain('/apps/key-system-2?app=tool');
  expect(await readState(api, { app: 'other' })).toMatchObject({ run: null });
});

describeEachDatabase('the table of apps', (db) => {
  afterEach(async () => {
    for (const { id } of await createAppsRepository(db()).list()) await removeApp({ db: db() }, id, ACT);
  });

  test('the table of apps starts with the apps of the specification and the sandbox, and none of them can be removed', async () => {
    expect((await createAppsRepository(db()).list()).map(({ id }) => id)).toEqual(['main', 'companion', 'sandbox']);
    for (const id of ['main', 'companion', 'sandbox'])
      expect(await removeApp({ db: db() }, id, ACT)).toEqual({ kind: 'unknown' });
  });

  test('an app is added once, also by two operators at once', async () => {
    const added = await Promise.all([addApp({ db: db() }, TOOL, ACT), addApp({ db: db() }, TOOL, ACT)]);

    expect(added.toSorted()).toEqual([false, true]);
    expect(await db().selectFrom('stepLink').selectAll().where('appId', '=', 'tool').execute()).toHaveLength(2 * 2 * 4);
  });

  test('changing an app updates its step links and keeps those that an operator has set', async () => {
    await addApp({ db: db() }, TOOL, ACT);
    const links = () => db().selectFrom('stepLink').selectAll().where('appId', '=', 'tool');
    await db().updateTable('stepLink').set({ url: 'https://a.example/1' }).where('appId', '=', 'tool').execute();

    const changed = await changeApp(
      { db: db() },
      'tool',
      (app) => ({ ...app, steps: 3, advertisers: ['linkvertise', 'workink'] }),
      ACT,
    );

    expect(changed).toMatchObject({ kind: 'changed', app: { name: 'Script Tool', steps: 3 } });
    const rows = await links().execute();
    expect(rows).toHaveLength(3 * 2 * 4);
    expect(rows.filter(({ url }) => url !== null)).toHaveLength(2 * 4);
    expect(await changeApp({ db: db() }, 'tool', (app) => app, ACT)).toEqual({ kind: 'same' });
    expect(await changeApp({ db: db() }, 'nobody', (app) => app, ACT)).toEqual({ kind: 'unknown' });
  });

  test('removing steps from an app removes their links', async () => {
    await addApp({ db: db() }, TOOL, ACT);
    await changeApp({ db: db() }, 'tool', (app) => ({ ...app, steps: 1 }), ACT);

    expect(await db().selectFrom('stepLink').selectAll().where('appId', '=', 'tool').execute()).toHaveLength(1 * 2 * 4);
  });

  test('changing the number of steps resets the usual duration of a run', async () => {
    await addApp({ db: db() }, TOOL, ACT);
    const apps = createAppsRepository(db());
    await apps.noteUsualRun('tool', 90_000);
    await changeApp({ db: db() }, 'tool', (app) => ({ ...app, name: 'Tool' }), ACT);
    expect(await apps.get('tool')).toMatchObject({ usualRunMs: 90_000 });

    await changeApp({ db: db() }, 'tool', (app) => ({ ...app, steps: 3 }), ACT);
    expect(await apps.get('tool')).toMatchObject({ usualRunMs: null });
  });
});

test('an app with stored runs or keys cannot be removed, and an app without them is removed with its devices', async () => {
  const api = await openWith(TOOL);
  await passCaptcha(api);
  await click(api, 'tool');

  expect(await removeApp(api, 'tool', ACT)).toEqual({ kind: 'in use', runs: 1, keys: 0 });
  expect(await readState(api, { app: 'tool' })).toMatchObject({ run: { step: 1 } });

  await api.db.deleteFrom('stepAttempt').execute();
  await api.db.deleteFrom('run').execute();
  await api.db.insertInto('keyCount').values({ appId: 'tool', day: '2026-01-01', issued: 7 }).execute();
  expect(await removeApp(api, 'tool', ACT)).toEqual({ kind: 'removed' });
  // Its id may come again, for another author.
  expect(await api.db.selectFrom('keyCount').selectAll().execute()).toEqual([]);
  expect(await api.db.selectFrom('device').selectAll().execute()).toEqual([]);
  expect((await click(api, 'tool')).status).toBe(404);
  expect(await removeApp(api, 'tool', ACT)).toEqual({ kind: 'unknown' });
});

test('an app with a key issued by a plan cannot be removed', async () => {
  const api = await openWith(TOOL);
  await insertLicence(api.db, { hwids: [HWID], startsAt: api.now() });
  await api.db.updateTable('accessKey').set({ appId: 'tool' }).execute();
  expect(await removeApp(api, 'tool', ACT)).toEqual({ kind: 'in use', runs: 0, keys: 1 });

  await api.db.deleteFrom('accessKey').execute();
  expect(await removeApp(api, 'tool', ACT)).toEqual({ kind: 'removed' });
});

test('an open run keeps its number of steps when its app changes', async () => {
  const api = await openWith(TOOL);
  await passCaptcha(api);
  await walk(api, 'tool');
  await changeApp(api, 'tool', (app) => ({ ...app, steps: 5, advertisers: ['workink'] }), ACT);

  expect(await readState(api, { app: 'tool' })).toMatchObject({ run: { step: 2, of: 2 }, stepsRequired: 5 });
  expect(await walk(api, 'tool', { step: 2, advertiser: 'linkvertise' })).toContain('/apps/key-system-getkey');
});

test.each<[what: string, wrong: object]>([
  ['the id of a specified app', { id: 'main' }],
  ['a path as id', { id: '../x' }],
  ['a name of two lines', { name: 'a\nb' }],
  ['a name that turns the text around', { name: 'a\u202Eb' }],
  ['a name of a letter that nobody sees', { name: '\u3164' }],
  ['a name of empty Braille', { name: '\u2800' }],
  ['a name with a letter that nobody sees', { name: 'a\u115fb' }],
  ['a name of marks alone', { name: '...' }],
  ['a name of marks piled up', { name: `a${'\u0304'.repeat(5)}b` }],
  ['a name with a Cyrillic letter', { name: '\u0410rceus X' }],
  ['a name with a Cyrillic word', { name: 'Arceus \u0425' }],
  ['a name with a Greek letter', { name: 'Arceus \u03a7' }],
  ['a name with a letter of Lisu', { name: '\ua4eerceus' }],
  ['a name of mathematical letters', { name: '\u{1d400}rceus' }],
  ['a name of wide letters', { name: '\uff21rceus' }],
  ['a name with a sign that looks like a letter', { name: 'Arceus \u2715' }],
  ['the name of an app of ours', { name: 'arc\u00e9us-X' }],
  ...['javascript://%0aalert(1)', 'https://evil.example', 'intent://scan/', 'ms-msdt://x', 'itms-services://x'].map(
    (scheme): [string, object] => [`${scheme} as scheme`, { scheme }],
  ),
  ...['ms-msdt', 'itms-services', 'chrome', 'market', 'search-ms', 'x-apple.systempreferences', 'android-app'].map(
    (scheme): [string, object] => [
      `${scheme} as id and as scheme`,
      { id: scheme.replace('.', '-'), scheme: `${scheme}://x` },
    ],
  ),
  ['the scheme of another app', { scheme: 'roblox://' }],
  ['a part of the name of another app as its id', { id: 'oft', scheme: 'microsoft-edge://' }],
  ['the second word of a system’s scheme as its id', { id: 'player', scheme: 'roblox-player://' }],
  ['the end of a word of its scheme as its id', { id: 'mask', name: 'Other', scheme: 'metamask://' }],
  ['a scheme of two letters that are its id', { id: 'xy', name: 'Other', scheme: 'proxy://key' }],
  ['a colour of its own', { colour: '#fff' }],
  ['no steps', { steps: 0 }],
  ['ten steps', { steps: 10 }],
  ['no advertiser', { advertisers: [] }],
  ['an advertiser twice', { advertisers: ['rinku', 'rinku'] }],
  ['the sandbox as advertiser', { advertisers: ['sandbox'] }],
])('an app with %s is rejected', (_what, wrong) => {
  expect(v.safeParse(registeredAppSchema, TOOL).success).toBe(true);
  expect(v.safeParse(registeredAppSchema, { ...TOOL, ...wrong }).success).toBe(false);
});

test.each([
  ['its id', { id: 'delta', scheme: 'delta-key://open' }],
  ['its name', { name: 'Delta X', scheme: 'deltax://' }],
  ['a domain of its author', { scheme: 'com.example.executor://key' }],
])('an app link may have a scheme with %s', (_what, members) => {
  expect(v.safeParse(registeredAppSchema, { ...TOOL, ...members }).issues).toBeUndefined();
});

test.each([
  'V5 Tool (beta)',
  'Công cụ 2',
  'Инструмент',
  'Εργαλείο',
  'ツールTool',
  '도구 Tool',
  'أداة',
  'เครื่องมือ',
  'उपकरण',
  '1337',
])('an app may have the name %s', (name) => {
  expect(v.parse(registeredAppSchema, { ...TOOL, name }).name).toBe(name);
});

test('two Unicode forms of the same app name count as the same', () => {
  expect(v.parse(registeredAppSchema, { ...TOOL, name: 'Công cụ'.normalize('NFD') }).name).toBe('Công cụ');
});
