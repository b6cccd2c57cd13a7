import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createCallProvider } from '#api/http/call-provider.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { findDeadOrigin, listen } from '#api/test/listen.ts';
import {
  HWID,
  LONG_ENOUGH_MS,
  passCaptcha,
  pressComplete,
  readState,
  requireLocation,
} from '#api/test/visitor-steps.ts';
import exampleSettings from './advertisers-settings.example.json' with { type: 'json' };
import type { AdvertisersSettings } from './advertisers-settings.ts';

const WHO = 'hwid=device-1234&zone=zone-1';
const HASH = 'a'.repeat(64);
const TOKEN = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

/** What an advertiser answers: a text, or whatever else a server can do. */
type Reply = string | ((res: ServerResponse, now: number) => unknown);

interface Asked {
  method: string | undefined;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The API, and one local server in place of all advertisers, which answers as the test says. */
async function createApiWith({ link = '', proof = '' }: { link?: Reply; proof?: Reply }) {
  const asked: Asked[] = [];
  const origin = await listen((req, res) => void answer(req, res));
  const api = await createTestApi({
    advertisers: settingsAt(origin),
    callProvider: createCallProvider({ timeoutMs: 200 }),
  });

  async function answer(...[req, res]: Parameters<RequestListener>) {
    const path = req.url ?? '';
    asked.push({ method: req.method, path, headers: req.headers, body: await text(req) });
    const reply = /anti_bypassing|isValid/.test(path) ? proof : link;
    if (typeof reply === 'string') res.end(reply);
    else reply(res, api.now());
  }

  await passCaptcha(api);
  return { api, asked };
}

/** The example's accounts, with every interface at one address. */
function settingsAt(apiBase: string): AdvertisersSettings {
  const { linkvertise, workink, lootlabs, rinku } = exampleSettings;
  return {
    linkvertise: { ...linkvertise, apiBase },
    workink: { ...workink, apiBase },
    lootlabs: { ...lootlabs, apiBase },
    rinku: { ...rinku, apiBase },
  };
}

/** Leaves through Linkvertise, and gives the return address out of the link's base64. */
async function leaveThroughLinkvertise(api: TestApi, hwid = HWID): Promise<string> {
  const link = new URL(await pressComplete(api, { hwid }));
  api.pass(LONG_ENOUGH_MS);
  return Buffer.from(link.searchParams.get('r') ?? '', 'base64').toString('utf8');
}

/** Makes the run stand at step 2, where Work.ink is offered, leaves through it, and gives the return address. */
async function leaveThroughWorkink({ api, asked }: Awaited<ReturnType<typeof createApiWith>>): Promise<string> {
  await pressComplete(api);
  await api.db.updateTable('run').set({ step: 2 }).execute();
  await pressComplete(api, { advertiser: 'workink', step: 2 });
  const destination = new URL(asked.at(-1)?.path ?? '', 'https://work.ink').searchParams.get('destination') ?? '';
  api.pass(LONG_ENOUGH_MS);
  return destination.replace('{TOKEN}', TOKEN);
}

async function attemptStates({ db }: TestApi): Promise<string[]> {
  return (await db.selectFrom('stepAttempt').select('state').orderBy('issuedAt').execute()).map(({ state }) => state);
}

async function countStrikes({ db }: TestApi): Promise<number> {
  return (await db.selectFrom('strike').selectAll().execute()).length;
}

/** How a server can fail whatever protocol it speaks. */
const FAILURES: { what: string; reply: Reply }[] = [
  { what: 'a failure of its own', reply: (res) => res.writeHead(500).end('TRUE') },
  { what: 'a redirect', reply: (res) => res.writeHead(302, { location: 'https://evil.example/' }).end() },
  { what: 'silence', reply: () => undefined },
  { what: 'half an answer', reply: (res) => res.writeHead(200, { 'content-length': 100 }).write('TRUE') },
  { what: 'a broken connection', reply: (res) => res.socket?.destroy() },
  { what: '20 KB', reply: 'TRUE'.padEnd(20_000) },
  { what: 'HTML', reply: '<!doctype html><title>TRUE</title>' },
  { what: 'nothing', reply: '' },
  { what: 'bytes that are no text', reply: (res) => res.end(Buffer.from([0xff, 0xfe, 0x54])) },
];

describe('Linkvertise', () => {
  test('its link names our account and hides the return address in base64 only', async () => {
    const { api } = await createApiWith({});

    const link = new URL(await pressComplete(api));

    expect(link.href).toMatch(/^https:\/\/link-to\.net\/123456\/\d{1,4}\/dynamic\?r=/);
    expect(Buffer.from(link.searchParams.get('r') ?? '', 'base64').toString('utf8')).toMatch(
      /\/api\/keysystem\/return\/[\w-]{43}$/,
    );
  });

  test('is asked about a hash by POST, with our token', async () => {
    const { api, asked } = await createApiWith({ proof: 'TRUE' });

    const page = requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`));

    expect(page).toContain('/key-system-2?');
    expect(asked).toMatchObject([
      { method: 'POST', path: `/api/v1/anti_bypassing?token=${exampleSettings.linkvertise.token}&hash=${HASH}` },
    ]);
  });

  test('may say its word in pieces', async () => {
    const { api } = await createApiWith({ proof: (res) => res.write('TR', () => res.end('UE')) });

    expect(requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`))).toContain(
      '/key-system-2?',
    );
  });

  test('its FALSE is no proof', async () => {
    const { api } = await createApiWith({ proof: 'FALSE' });

    expect(requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`))).toBe(
      `/key-system-bypass?${WHO}&r=KS_PROOF`,
    );
  });

  test.each(['short', `${HASH}a`, 'g!'.repeat(32), `${HASH}&hash=${HASH}`, `${'a'.repeat(63)}%0A`])(
    'is not even asked about the hash "%s"',
    async (hash) => {
      const { api, asked } = await createApiWith({ proof: 'TRUE' });

      const page = requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${hash}`));

      expect(page).toContain('r=KS_PROOF');
      expect(asked).toEqual([]);
    },
  );

  test.each(['true', 'true ', 'TRUE ', 'TRUE\n', '\uFEFFTRUE', '"TRUE"', '1', '{"status":true}', 'Invalid token.'])(
    'row 12: the reply %j neither credits nor blames',
    async (proof) => {
      const { api } = await createApiWith({ proof });

      const page = requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`));

      expect(page).toBe(`/key-system-1?${WHO}&advertiser=linkvertise&e=KS_PROVIDER_DOWN`);
      expect(await readState(api)).toMatchObject({ run: { step: 1 } });
      expect(await countStrikes(api)).toBe(0);
    },
  );

  test.each(FAILURES)('row 12: $what neither credits nor blames, and is not asked for twice', async ({ reply }) => {
    const { api, asked } = await createApiWith({ proof: reply });
    const address = `${await leaveThroughLinkvertise(api)}?hash=${HASH}`;

    expect(requireLocation(await api.visit(address))).toContain('e=KS_PROVIDER_DOWN');
    expect(requireLocation(await api.visit(address))).toContain('e=KS_PROVIDER_DOWN');

    expect(asked).toHaveLength(1);
    expect(await attemptStates(api)).toEqual(['expired']);
    expect(await readState(api)).toMatchObject({ run: { step: 1 } });
    expect(await countStrikes(api)).toBe(0);
  });

  test('row 12: unreachable, it leaves ticket and proof usable', async () => {
    const api = await createTestApi({ advertisers: settingsAt(await findDeadOrigin()) });
    await passCaptcha(api);

    expect(requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`))).toContain(
      'e=KS_PROVIDER_DOWN',
    );
    expect(await attemptStates(api)).toEqual(['issued']);
  });

  test('row 6: one hash for two devices at once, which it confirms to both, credits one of them', async () => {
    const { api } = await createApiWith({ proof: 'TRUE' });
    await passCaptcha(api, { hwid: 'device-5678' });
    const addresses = [await leaveThroughLinkvertise(api), await leaveThroughLinkvertise(api, 'device-5678')];

    const pages = await Promise.all(
      addresses.map(async (address) => requireLocation(await api.visit(`${address}?hash=${HASH}`))),
    );

    expect(pages.map((page) => /^\/key-system-2|r=KS_REUSE/.exec(page)?.[0]).sort()).toEqual([
      '/key-system-2',
      'r=KS_REUSE',
    ]);
  });

  test('row 6: a return that is opened twice asks about its hash once', async () => {
    const { api, asked } = await createApiWith({ proof: 'TRUE' });
    const address = `${await leaveThroughLinkvertise(api)}?hash=${HASH}`;

    await Promise.all([api.visit(address), api.visit(address), api.visit(address)]);

    expect(asked).toHaveLength(1);
    expect(await readState(api)).toMatchObject({ run: { step: 2 } });
  });
});

describe('Work.ink', () => {
  const good = { token: TOKEN, byIp: '192.0.2.1', linkId: exampleSettings.workink.linkIds[0] };
  const valid = (now: number, changes: object = {}) =>
    JSON.stringify({
      valid: true,
      deleted: true,
      info: { ...good, createdAt: now - 1000, expiresAfter: now + 60_000, ...changes },
    });
  const override = '{"sr":"override"}';

  test('is told where to send the visitor, and deletes a token when we ask about it', async () => {
    const made = await createApiWith({ link: override, proof: (res, now) => res.end(valid(now)) });
    const address = await leaveThroughWorkink(made);

    expect(requireLocation(await made.api.visit(address))).toContain('/key-system-3?');
    expect(address).toMatch(/\/api\/keysystem\/return\/[\w-]{43}\?token=/);
    expect(made.asked.at(-1)).toMatchObject({ method: 'GET', path: `/_api/v2/token/isValid/${TOKEN}?deleteToken=1` });
  });

  test.each([
    {
      what: 'row 7: a token made before the visitor left',
      reply: (now: number) => valid(now, { createdAt: now - LONG_ENOUGH_MS - 1 }),
    },
    { what: 'row 8: a token of a foreign link', reply: (now: number) => valid(now, { linkId: 99 }) },
    { what: 'a token that has run out', reply: (now: number) => valid(now, { expiresAfter: now }) },
    {
      what: 'a token that was not deleted',
      reply: (now: number) => valid(now).replace('"deleted":true', '"deleted":false'),
    },
    { what: 'a reply about another token', reply: (now: number) => valid(now, { token: 'another' }) },
    { what: 'a token it does not know', reply: () => '{"valid":false,"deleted":false}' },
  ])('$what is no proof', async ({ reply }) => {
    const made = await createApiWith({ link: override, proof: (res, now) => res.end(reply(now)) });

    expect(requireLocation(await made.api.visit(await leaveThroughWorkink(made)))).toBe(
      `/key-system-bypass?${WHO}&r=KS_PROOF`,
    );
  });

  test('row 7: a token made at the very moment the visitor left is a proof', async () => {
    const made = await createApiWith({
      link: override,
      proof: (res, now) => res.end(valid(now, { createdAt: now - LONG_ENOUGH_MS })),
    });

    expect(requireLocation(await made.api.visit(await leaveThroughWorkink(made)))).toContain('/key-system-3?');
  });

  test.each([
    ...FAILURES,
    ...[
      '{"valid":"true"}',
      '{"valid":true}',
      '{"valid":1}',
      'true',
      'null',
      '[]',
      `{"valid":true,"deleted":true,"info":{"token":"${TOKEN}","linkId":"10345","createdAt":"2026","expiresAfter":null}}`,
    ].map((reply) => ({ what: reply, reply })),
  ])('row 12: $what neither credits nor blames', async ({ reply }) => {
    const made = await createApiWith({ link: override, proof: reply });

    expect(requireLocation(await made.api.visit(await leaveThroughWorkink(made)))).toBe(
      `/key-system-2?${WHO}&advertiser=workink&e=KS_PROVIDER_DOWN`,
    );
    expect(await readState(made.api)).toMatchObject({ run: { step: 2 } });
    expect(await countStrikes(made.api)).toBe(0);
  });

  test.each(['not-a-uuid', TOKEN.replace('-4', '-1'), '../../override', `${TOKEN}%2F..`])(
    'is not even asked about the token "%s"',
    async (token) => {
      const made = await createApiWith({ link: override, proof: (res, now) => res.end(valid(now)) });
      const address = (await leaveThroughWorkink(made)).replace(TOKEN, token);
      const before = made.asked.length;

      expect(requireLocation(await made.api.visit(address))).toContain('r=KS_PROOF');
      expect(made.asked).toHaveLength(before);
    },
  );

  test.each(['', '{TOKEN}'])(
    'is not asked where the address says "%s" for a token, which blames nobody',
    async (token) => {
      const made = await createApiWith({ link: override, proof: (res, now) => res.end(valid(now)) });
      const address = (await leaveThroughWorkink(made)).replace(TOKEN, token);
      const before = made.asked.length;

      expect(requireLocation(await made.api.visit(address))).toContain('e=KS_UNFINISHED');
      expect(made.asked).toHaveLength(before);
      expect(await countStrikes(made.api)).toBe(0);
    },
  );
});

describe('links', () => {
  test('LootLabs’ carries the hidden address and the attempt, and never the ticket', async () => {
    const { api, asked } = await createApiWith({ link: '{"type":"fetched","message":"abc%2Bdef"}' });

    const link = await pressComplete(api, { advertiser: 'lootlabs' });

    expect(link).toMatch(/^https:\/\/loot-link\.com\/s\?AbCdEf12&data=abc%2Bdef&puid=[\w-]{34}$/);
    expect(asked).toMatchObject([
      {
        method: 'POST',
        path: '/api/public/url_encryptor',
        headers: { authorization: `Bearer ${exampleSettings.lootlabs.token}` },
      },
    ]);
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      destination_url: expect.stringMatching(/\/api\/keysystem\/return\/[\w-]{43}$/) as unknown,
    });
  });

  test('Rinku’s is made anew for every attempt, under an alias that nobody can guess', async () => {
    const { api, asked } = await createApiWith({ link: '{"status":"success","shortenedUrl":"https://rinku.me/abc"}' });

    expect(await pressComplete(api, { advertiser: 'rinku' })).toBe('https://rinku.me/abc');
    await pressComplete(api, { advertiser: 'rinku' });

    const queries = asked.map(({ path }) => new URL(path, 'https://rinku.pro').searchParams);
    const aliases = queries.map((query) => query.get('alias') ?? '');
    for (const alias of aliases) expect(alias).toMatch(/^[0-9a-f]{24}$/);
    expect(new Set(aliases).size).toBe(2);
    expect(queries[0]?.get('api')).toBe(exampleSettings.rinku.apiKey);
  });

  test.each([
    ...FAILURES,
    ...[
      'null',
      '[]',
      '"fetched"',
      '{"type":"error","message":"abc"}',
      '{"type":"fetched","message":7}',
      '{"type":"fetched","message":"a&b=c"}',
      '{"type":"fetched","message":"a b"}',
    ].map((reply) => ({ what: reply, reply })),
  ])('row 12: where LootLabs answers $what there is no link, and nobody is blamed', async ({ reply }) => {
    const { api } = await createApiWith({ link: reply });

    expect(await pressComplete(api, { advertiser: 'lootlabs' })).toBe(
      `/key-system-1?${WHO}&advertiser=lootlabs&e=KS_PROVIDER_DOWN`,
    );
    expect(await attemptStates(api)).toEqual(['expired']);
    expect(await countStrikes(api)).toBe(0);
  });

  test.each(['{"sr":""}', '{"sr":1}', '{"sr":null}', '{}', `{"sr":"${'x'.repeat(3000)}"}`])(
    'row 12: where Work.ink answers %s there is no link',
    async (link) => {
      const { api } = await createApiWith({ link });
      await pressComplete(api);
      await api.db.updateTable('run').set({ step: 2 }).execute();

      expect(await pressComplete(api, { advertiser: 'workink', step: 2 })).toContain('e=KS_PROVIDER_DOWN');
    },
  );

  test('an advertiser that was silent is asked once more for its link', async () => {
    let times = 0;
    const { api } = await createApiWith({
      link: (res) => (times++ === 0 ? undefined : res.end('{"type":"fetched","message":"abc"}')),
    });

    expect(await pressComplete(api, { advertiser: 'lootlabs' })).toContain('https://loot-link.com/');
  });

  test.each([
    'https://evil.example/rinku.pro',
    'https://rinku.pro.evil.example/x',
    'https://rinku.pro@evil.example/x',
    'https://rinku.pro:8443/x',
    'javascript:alert(1)',
    '//evil.example',
    'nonsense',
  ])('row 27: a visitor is never sent to %s', async (shortenedUrl) => {
    const { api } = await createApiWith({ link: JSON.stringify({ status: 'success', shortenedUrl }) });

    expect(await pressComplete(api, { advertiser: 'rinku' })).toBe(
      `/key-system-1?${WHO}&advertiser=rinku&e=KS_PROVIDER_DOWN`,
    );
    expect(await attemptStates(api)).toEqual(['expired']);
  });

  test('a visitor whose advertiser gives no link may take another one at once', async () => {
    const { api } = await createApiWith({ link: 'Service Unavailable' });

    expect(await pressComplete(api, { advertiser: 'rinku' })).toContain('e=KS_PROVIDER_DOWN');
    expect(await pressComplete(api, { advertiser: 'linkvertise' })).toContain('https://link-to.net/');
  });
});
