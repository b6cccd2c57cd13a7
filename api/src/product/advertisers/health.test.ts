import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createCallProvider } from '#api/foundation/http/call-provider.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { findDeadOrigin, listen } from '#api/test/listen.ts';
import {
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  WHO,
} from '#api/test/product/visitor-steps.ts';
import { createPresence } from '#api/server/live/presence.ts';
import { createAdvertisersRepository } from './advertisers.repository.ts';
import exampleSettings from './advertisers-settings.example.json' with { type: 'json' };

const SIGNING_KEY = readSigningKey(generateSigningKey('test-key'));
const FAILURES_TO_OPEN = 5;
const REST_MS = 30_000;
const HASH = 'a'.repeat(64);
const GOOD_LINK = JSON.stringify({ status: 'success', shortenedUrl: 'https://rinku.me/abc' });

/** An API whose advertisers are all one local server, which the test controls. */
async function createApiWithServer() {
  const server = { answer: ((_req, res) => res.writeHead(503).end()) as RequestListener, asked: 0 };
  const origin = await listen((req, res) => {
    server.asked += 1;
    server.answer(req, res);
  });
  const { linkvertise, workink, lootlabs, rinku } = exampleSettings;
  const api = await createTestApi({
    advertisers: {
      linkvertise: { ...linkvertise, apiBase: origin },
      workink: { ...workink, apiBase: origin },
      lootlabs: { ...lootlabs, apiBase: origin },
      rinku: { ...rinku, apiBase: origin },
    },
    callProvider: createCallProvider({ timeoutMs: 200 }),
    signingKey: SIGNING_KEY,
  });
  return { api, server };
}

/** Starts a step at Rinku until its circuit is open, each time with another device. */
async function failAtRinku(api: TestApi, times = FAILURES_TO_OPEN): Promise<void> {
  for (let device = 1; device <= times; device++) {
    const hwid = `failing-${device}`;
    await passCaptcha(api, { hwid });
    expect(await clickComplete(api, { hwid, advertiser: 'rinku' })).toContain('e=KS_PROVIDER_DOWN');
  }
}

/** Since when Rinku's circuit is open, as operators see it. */
async function failingSince(api: TestApi): Promise<number | null> {
  return (await createAdvertisersRepository(api.db).get('rinku')).failingSince;
}

async function isOk(api: TestApi, id: string): Promise<boolean | undefined> {
  const { advertisers } = (await readState(api)) as { advertisers: { id: string; ok: boolean }[] };
  return advertisers.find((one) => one.id === id)?.ok;
}

test('threat 12: the circuit of an advertiser that keeps failing opens, and the pages are told; the others go on', async () => {
  const { api, server } = await createApiWithServer();
  await failAtRinku(api);
  expect([await isOk(api, 'rinku'), await isOk(api, 'linkvertise')]).toEqual([false, true]);

  await passCaptcha(api);
  const before = server.asked;
  expect(await clickComplete(api, { advertiser: 'rinku' })).toBe(
    `/key-system-1?${WHO}&advertiser=rinku&e=KS_PROVIDER_DOWN`,
  );
  expect(server.asked).toBe(before);
  expect(await clickComplete(api, { advertiser: 'linkvertise' })).toContain('https://link-to.net/');
  expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
});

test('operators see since when an advertiser’s circuit is open, until it closes or the server has started again', async () => {
  const { api, server } = await createApiWithServer();
  await failAtRinku(api);
  await expect.poll(() => failingSince(api)).toBe(api.now());

  server.answer = (_req, res) => res.end(GOOD_LINK);
  api.pass(REST_MS);
  await passCaptcha(api);
  await clickComplete(api, { advertiser: 'rinku' });
  await expect.poll(() => failingSince(api)).toBeNull();

  await createAdvertisersRepository(api.db).noteFailing('rinku', api.now());
  await createTestApi({ db: api.db, signingKey: SIGNING_KEY });
  expect(await failingSince(api)).toBeNull();
});

test('a step start at an advertiser whose circuit is open costs none of the hour’s tries', async () => {
  const { api } = await createApiWithServer();
  await failAtRinku(api);
  await passCaptcha(api);
  for (let tries = 0; tries < 20; tries++) await clickComplete(api, { advertiser: 'rinku' });

  expect(await clickComplete(api, { advertiser: 'linkvertise' })).toContain('https://link-to.net/');
});

test('after its rest the first visitor finds out that it is back', async () => {
  const { api, server } = await createApiWithServer();
  await failAtRinku(api);
  server.answer = (_req, res) => res.end(GOOD_LINK);
  api.pass(REST_MS);
  expect(await isOk(api, 'rinku')).toBe(true);

  await passCaptcha(api);
  expect(await clickComplete(api, { advertiser: 'rinku' })).toBe('https://rinku.me/abc');
  expect(
    api.logged
      .filter((line) => /advertiser circuit (open|closed)/.test(line))
      .map((line) => (JSON.parse(line) as { state: string }).state),
  ).toEqual(['open', 'closed']);
});

test('an advertiser that is still down after its rest is asked once, and rests again', async () => {
  const { api, server } = await createApiWithServer();
  await failAtRinku(api);
  api.pass(REST_MS);
  const before = server.asked;
  await passCaptcha(api);
  await clickComplete(api, { advertiser: 'rinku' });
  await clickComplete(api, { advertiser: 'rinku' });

  expect(server.asked).toBe(before + 1);
  expect(await isOk(api, 'rinku')).toBe(false);
});

test('threat 12: while the circuit of Linkvertise is open a return costs neither its proof nor a strike, with a hash or without', async () => {
  const { api, server } = await createApiWithServer();
  const addresses = await Promise.all(
    Array.from({ length: FAILURES_TO_OPEN + 2 }, async (_, device) => {
      const hwid = `waiting-${device}`;
      await passCaptcha(api, { hwid });
      const link = new URL(await clickComplete(api, { hwid }));
      return Buffer.from(link.searchParams.get('r') ?? '', 'base64').toString('utf8');
    }),
  );
  api.pass(LONG_ENOUGH_MS);
  const [kept = '', without = '', ...failing] = addresses;
  for (const address of failing)
    expect(requireLocation(await api.visit(`${address}?hash=${HASH}`))).toContain('e=KS_PROVIDER_DOWN');
  const before = server.asked;

  expect(requireLocation(await api.visit(`${kept}?hash=${HASH}`))).toContain('e=KS_PROVIDER_DOWN');
  expect(requireLocation(await api.visit(without))).toContain('e=KS_PROVIDER_DOWN');
  expect(server.asked).toBe(before);
  expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);

  server.answer = (_req, res) => res.end('TRUE');
  api.pass(REST_MS);
  expect(requireLocation(await api.visit(`${kept}?hash=${HASH}`))).toContain('/key-system-2?');
});

test('LootLabs’ own call counts also while its links are not to be had', async () => {
  const { api, server } = await createApiWithServer();
  server.answer = (_req, res) => res.end('{"type":"fetched","message":"abc%3D"}');
  await passCaptcha(api);
  const clickId = new URL(await clickComplete(api, { advertiser: 'lootlabs' })).searchParams.get('puid') ?? '';
  server.answer = (_req, res) => res.writeHead(500).end();
  for (let device = 1; device <= FAILURES_TO_OPEN; device++) {
    await passCaptcha(api, { hwid: `failing-${device}` });
    await clickComplete(api, { hwid: `failing-${device}`, advertiser: 'lootlabs' });
  }
  expect(await isOk(api, 'lootlabs')).toBe(false);
  api.pass(LONG_ENOUGH_MS);

  const res = await api.ask(
    `/api/keysystem/postback/${exampleSettings.lootlabs.postbackSecret}?click_id=${clickId}&unique_id=task-1`,
  );

  expect(res.status).toBe(200);
  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
});

test('an advertiser that is switched off in the database is off at once, and on again at once', async () => {
  const { api } = await createApiWithServer();
  const set = (enabled: number) =>
    api.db.updateTable('advertiser').set({ enabled }).where('id', '=', 'linkvertise').execute();
  await passCaptcha(api);

  await set(0);
  expect(await isOk(api, 'linkvertise')).toBe(false);
  expect(await clickComplete(api)).toContain('e=KS_PROVIDER_DOWN');
  await set(1);
  expect(await isOk(api, 'linkvertise')).toBe(true);
  expect(await clickComplete(api)).toContain('https://link-to.net/');
});

test('an advertiser without a listening server is one that fails', async () => {
  const { rinku } = exampleSettings;
  const api = await createTestApi({
    advertisers: { ...exampleSettings, rinku: { ...rinku, apiBase: await findDeadOrigin() } },
  });

  await failAtRinku(api);

  expect(await isOk(api, 'rinku')).toBe(false);
});

test('a server that starts keeps what another living server has noted, and forgets it when there is no other', async () => {
  const { db } = await createTestApi({ signingKey: SIGNING_KEY });
  const rows = createAdvertisersRepository(db);
  await rows.noteFailing('rinku', 5);
  const other = createPresence({ db, name: 'another server' });
  const since = async () =>
    (await db.selectFrom('advertiser').select('failingSince').where('id', '=', 'rinku').executeTakeFirstOrThrow())
      .failingSince;

  await other.exchange(0);
  await createTestApi({ db, signingKey: SIGNING_KEY });
  expect(await since()).toBe(5);
  await other.leave();
  await createTestApi({ db, signingKey: SIGNING_KEY });
  expect(await since()).toBeNull();
});
