import { describe, expect, test } from 'vitest';
import { ProviderError } from '#api/http/call-provider.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { LONG_ENOUGH_MS, passCaptcha, pressComplete, readState, requireLocation } from '#api/test/visitor-steps.ts';
import exampleSettings from './advertisers-settings.example.json' with { type: 'json' };

const WHO = 'hwid=device-1234&zone=zone-1';
const HASH = 'a'.repeat(64);
const TOKEN = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

type Reply = string | ProviderError;

/** The API with an advertiser whose every reply the test writes itself. */
async function createApiWith(replies: { link?: Reply; proof?: Reply | ((now: number) => Reply) }) {
  const asked: { url: URL; init: RequestInit | undefined }[] = [];
  const api = await createTestApi({
    advertisers: exampleSettings,
    callProvider: (url, init) => {
      asked.push({ url, init });
      const isProof = /anti_bypassing|isValid/.test(url.pathname);
      const proof = typeof replies.proof === 'function' ? replies.proof(api.now()) : replies.proof;
      const reply = (isProof ? proof : replies.link) ?? '';
      return typeof reply === 'string' ? Promise.resolve(reply) : Promise.reject(reply);
    },
  });
  await passCaptcha(api);

  return { api, asked };
}

/** Leaves through Linkvertise, and gives the return address out of the link's base64. */
async function leaveThroughLinkvertise(api: Awaited<ReturnType<typeof createApiWith>>['api']): Promise<string> {
  const link = new URL(await pressComplete(api));
  api.pass(LONG_ENOUGH_MS);
  return Buffer.from(link.searchParams.get('r') ?? '', 'base64').toString('utf8');
}

/** Makes the run stand at step 2, where Work.ink is offered, and leaves through it. */
async function leaveThroughWorkink({ api, asked }: Awaited<ReturnType<typeof createApiWith>>): Promise<string> {
  await pressComplete(api);
  await api.db.updateTable('run').set({ step: 2 }).execute();
  await pressComplete(api, { advertiser: 'workink', step: 2 });
  const destination = asked.at(-1)?.url.searchParams.get('destination') ?? '';
  return destination.replace('{TOKEN}', TOKEN);
}

describe('Linkvertise', () => {
  test('its link names our account and hides the return address in base64 only', async () => {
    const { api } = await createApiWith({});

    const link = new URL(await pressComplete(api));

    expect(link.href).toMatch(/^https:\/\/link-to\.net\/123456\/\d{1,4}\/dynamic\?r=/);
    expect(Buffer.from(link.searchParams.get('r') ?? '', 'base64').toString('utf8')).toMatch(/\/api\/keysystem\/return\/[\w-]{43}$/);
  });

  test('is asked about a hash by POST, with our token', async () => {
    const { api, asked } = await createApiWith({ proof: 'TRUE' });

    const page = requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`));

    expect(page).toContain('/key-system-2?');
    expect(asked.at(-1)?.url.href).toBe(
      `https://publisher.linkvertise.com/api/v1/anti_bypassing?token=${exampleSettings.linkvertise.token}&hash=${HASH}`,
    );
    expect(asked.at(-1)?.init).toMatchObject({ method: 'POST' });
  });

  test.each(['short', `${HASH}a`, 'g!'.repeat(32), `${HASH}&hash=${HASH}`])('is not even asked about the hash "%s"', async (hash) => {
    const { api, asked } = await createApiWith({ proof: 'TRUE' });

    const page = requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${hash}`));

    expect(page).toContain('r=KS_PROOF');
    expect(asked).toEqual([]);
  });

  test.each(['true ', 'TRUE ', 'TRUE\n', '{"status":true}', '<html>TRUE</html>', '', 'Invalid token.'])(
    'row 12: the reply %j neither credits nor blames',
    async (proof) => {
      const { api } = await createApiWith({ proof });

      const page = requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`));

      expect(page).toBe(`/key-system-1?${WHO}&advertiser=linkvertise&e=KS_PROVIDER_DOWN`);
      expect(await readState(api)).toMatchObject({ run: { step: 1 } });
    },
  );

  test('row 12: unreachable, it leaves the ticket usable; silent after it was asked, it does not', async () => {
    const unreachable = await createApiWith({ proof: new ProviderError('down', { failure: 'unreached' }) });
    const address = `${await leaveThroughLinkvertise(unreachable.api)}?hash=${HASH}`;
    await unreachable.api.visit(address);
    expect(await stateOfAttempt(unreachable.api)).toBe('issued');

    const silent = await createApiWith({ proof: new ProviderError('down', { failure: 'unanswered' }) });
    const other = `${await leaveThroughLinkvertise(silent.api)}?hash=${HASH}`;
    await silent.api.visit(other);
    expect(await stateOfAttempt(silent.api)).toBe('expired');
    expect(requireLocation(await silent.api.visit(other))).toContain('e=KS_PROVIDER_DOWN');
  });
});

describe('Work.ink', () => {
  const good = { token: TOKEN, byIp: '192.0.2.1', linkId: exampleSettings.workink.linkIds[0] };
  const valid = (now: number, changes: object = {}) =>
    JSON.stringify({ valid: true, deleted: true, info: { ...good, createdAt: now - 1000, expiresAfter: now + 60_000, ...changes } });

  test('sends a token that it deletes when we ask about it', async () => {
    const made = await createApiWith({ link: '{"sr":"override"}', proof: (now) => valid(now) });
    const address = await leaveThroughWorkink(made);
    made.api.pass(LONG_ENOUGH_MS);

    expect(requireLocation(await made.api.visit(address))).toContain('/key-system-3?');
    expect(made.asked.at(-1)?.url.href).toBe(`https://work.ink/_api/v2/token/isValid/${TOKEN}?deleteToken=1`);
  });

  test.each([
    { what: 'row 7: a token made before the visitor left', reply: (now: number) => valid(now, { createdAt: now - LONG_ENOUGH_MS - 1 }) },
    { what: 'row 8: a token of a foreign link', reply: (now: number) => valid(now, { linkId: 99 }) },
    { what: 'a token that has run out', reply: (now: number) => valid(now, { expiresAfter: now }) },
    { what: 'a token that was not deleted', reply: (now: number) => valid(now).replace('"deleted":true', '"deleted":false') },
    { what: 'a reply about another token', reply: (now: number) => valid(now, { token: 'another' }) },
    { what: 'a token it does not know', reply: () => '{"valid":false}' },
  ])('$what is no proof', async ({ reply }) => {
    const made = await createApiWith({ link: '{"sr":"override"}', proof: reply });
    const address = await leaveThroughWorkink(made);
    made.api.pass(LONG_ENOUGH_MS);

    expect(requireLocation(await made.api.visit(address))).toBe(`/key-system-bypass?${WHO}&r=KS_PROOF`);
  });

  test.each(['{"valid":"true"}', '{"valid":true}', 'true', 'not JSON'])('row 12: the reply %j neither credits nor blames', async (proof) => {
    const made = await createApiWith({ link: '{"sr":"override"}', proof });
    const address = await leaveThroughWorkink(made);
    made.api.pass(LONG_ENOUGH_MS);

    expect(requireLocation(await made.api.visit(address))).toContain('/key-system-2?');
    expect(await readState(made.api)).toMatchObject({ run: { step: 2 } });
  });
});

describe('links', () => {
  test('LootLabs’ link carries the hidden address and the attempt, and never the ticket', async () => {
    const { api, asked } = await createApiWith({ link: '{"type":"fetched","message":"abc%2Bdef"}' });

    const link = await pressComplete(api, { advertiser: 'lootlabs' });

    expect(link).toMatch(/^https:\/\/loot-link\.com\/s\?AbCdEf12&data=abc%2Bdef&puid=[\w-]{22}$/);
    expect(asked[0]?.init).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer replace-with-the-api-token' } });
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

    expect(await pressComplete(api, { advertiser: 'rinku' })).toBe(`/key-system-1?${WHO}&advertiser=rinku&e=KS_PROVIDER_DOWN`);
    expect(await stateOfAttempt(api)).toBe('expired');
  });

  test('a visitor whose advertiser gives no link may take another one at once', async () => {
    const { api } = await createApiWith({ link: 'Service Unavailable' });

    expect(await pressComplete(api, { advertiser: 'rinku' })).toContain('e=KS_PROVIDER_DOWN');
    expect(await pressComplete(api, { advertiser: 'linkvertise' })).toContain('https://link-to.net/');
  });
});

async function stateOfAttempt({ db }: Awaited<ReturnType<typeof createApiWith>>['api']): Promise<string | undefined> {
  const attempt = await db.selectFrom('stepAttempt').select('state').executeTakeFirst();
  return attempt?.state;
}
