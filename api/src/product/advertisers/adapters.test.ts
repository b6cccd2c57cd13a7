import type { AdvertiserId } from '@app/contracts/advertisers';
import { describe, expect, test } from 'vitest';
import { T0 } from '#api/test/build-rows.ts';
import { createService, FAILURES } from '#api/test/product/answer-for-advertisers.ts';
import exampleSettings from './advertisers-settings.example.json' with { type: 'json' };

const HASH = 'a'.repeat(64);
const TOKEN = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const TICKET = 't'.repeat(43);
const RETURN_URL = `https://site.example/api/keysystem/return/${TICKET}`;
const UNAVAILABLE_VERDICT = { verdict: 'unavailable', proofSpent: true };

/** Makes a link after these replies. */
async function makeLink(id: AdvertiserId, replies: string[], link: string | null = null) {
  const { service, asked, answer } = createService();
  answer(...replies);
  return { url: await service.createLink(id, { attemptId: 'attempt', returnUrl: RETURN_URL, link }), asked };
}

/** Checks a proof after these replies. */
async function check(id: AdvertiserId, query: object, replies: (string | (typeof FAILURES)['declined'])[]) {
  const { service, asked, answer } = createService();
  answer(...replies);
  const attempt = { issuedAt: T0 - 1000 };
  return { verdict: await service.checkProof(id, query as Record<string, unknown>, attempt), asked, service };
}

describe('Linkvertise', () => {
  test('a Linkvertise link uses our account or the link set for the step, with the return address in base64', async () => {
    const { url = '', asked } = await makeLink('linkvertise', []);

    expect(url).toMatch(/^https:\/\/link-to\.net\/123456\/\d{1,4}\/dynamic\?r=/);
    expect(Buffer.from(new URL(url).searchParams.get('r') ?? '', 'base64').toString()).toBe(RETURN_URL);
    expect(asked).toEqual([]);
    expect((await makeLink('linkvertise', [], 'https://direct-link.net/9')).url).toMatch(
      /^https:\/\/direct-link\.net\/9\/\d{1,4}\/dynamic\?r=/,
    );
  });

  test('Linkvertise checks a hash in one call with our token, and the hash is the reference of the proof', async () => {
    const { verdict, asked } = await check('linkvertise', { hash: HASH }, ['TRUE']);

    expect(verdict).toEqual({ verdict: 'confirmed', ref: HASH });
    const url = `${exampleSettings.linkvertise.apiBase}/api/v1/anti_bypassing?token=${exampleSettings.linkvertise.token}&hash=${HASH}`;
    expect(asked).toEqual([{ url, method: 'POST', spends: true }]);
  });

  test.each(['true', ' TRUE ', 'TRUE\r\n', '\n\tTrue', '\uFEFFTRUE'])(
    'the Linkvertise reply %j confirms the proof',
    async (reply) => {
      expect((await check('linkvertise', { hash: HASH }, [reply])).verdict).toMatchObject({ verdict: 'confirmed' });
    },
  );

  test('the Linkvertise reply FALSE rejects the proof', async () => {
    expect((await check('linkvertise', { hash: HASH }, ['FALSE'])).verdict).toEqual({ verdict: 'refused' });
  });

  test.each([
    '',
    '"TRUE"',
    'TRUE FALSE',
    '1',
    '{"status":true}',
    'Invalid token.',
    '<!doctype html><title>TRUE</title>',
  ])('threat 12: the Linkvertise reply %j neither confirms nor rejects the proof', async (reply) => {
    expect((await check('linkvertise', { hash: HASH }, [reply])).verdict).toEqual(UNAVAILABLE_VERDICT);
  });

  test.each(['short', `${HASH}a`, 'g!'.repeat(32), [HASH, HASH], `${'a'.repeat(63)}\n`])(
    'the malformed hash %j is rejected without a call to Linkvertise',
    async (hash) => {
      const { verdict, asked } = await check('linkvertise', { hash }, ['TRUE']);

      expect([verdict, asked]).toEqual([{ verdict: 'refused' }, []]);
    },
  );

  test('threat 2: a return without a hash brings no proof', () => {
    const { service } = createService();

    for (const query of [{}, { hash: '' }, { 'hash[]': 'x' }, { token: 'x' }])
      expect(service.bringsProof('linkvertise', query)).toBe(false);
    expect(service.bringsProof('linkvertise', { hash: 'x' })).toBe(true);
  });

  test('threat 12: a declined Linkvertise check is retried at most twice, and a rejection after a retry counts as a spent proof', async () => {
    const { declined } = FAILURES;
    const [confirmed, refused, given] = await Promise.all([
      check('linkvertise', { hash: HASH }, [declined, declined, 'TRUE']),
      check('linkvertise', { hash: HASH }, [declined, 'FALSE']),
      check('linkvertise', { hash: HASH }, [declined]),
    ]);

    expect(confirmed.verdict).toEqual({ verdict: 'confirmed', ref: HASH });
    expect(refused.verdict).toEqual(UNAVAILABLE_VERDICT);
    expect([given.verdict, given.asked.length]).toEqual([UNAVAILABLE_VERDICT, 3]);
  });

  test('threat 12: a proof stays unspent when Linkvertise was not reached, and may be spent when the call got no answer', async () => {
    const verdictOf = async (failure: (typeof FAILURES)['declined']) =>
      (await check('linkvertise', { hash: HASH }, [failure])).verdict;

    expect(await verdictOf(FAILURES.unreached)).toEqual({ verdict: 'unavailable', proofSpent: false });
    expect(await verdictOf(FAILURES.unanswered)).toEqual(UNAVAILABLE_VERDICT);
  });
});

describe('Work.ink', () => {
  const info = { token: TOKEN, byIp: '192.0.2.1', linkId: exampleSettings.workink.linkIds[0] };
  const valid = (changes: object = {}) =>
    JSON.stringify({
      valid: true,
      deleted: true,
      info: { ...info, createdAt: T0 - 1000, expiresAfter: T0 + 60_000, ...changes },
    });

  test('Work.ink receives the return address of each visit, and its link uses our account or the link set for the step', async () => {
    const { url, asked } = await makeLink('workink', ['{"sr":"override"}']);

    expect(new URL(url ?? '').searchParams.get('sr')).toBe('override');
    expect(asked).toMatchObject([{ isLenient: true }]);
    expect(new URL(asked[0]?.url ?? '').searchParams.get('destination')).toBe(`${RETURN_URL}?token={TOKEN}`);
    expect((await makeLink('workink', ['{"sr":"override"}'], 'https://work.ink/1Ab/two?src=app')).url).toBe(
      'https://work.ink/1Ab/two?src=app&sr=override',
    );
  });

  test.each(['{"sr":""}', '{"sr":1}', '{"sr":null}', '{}', `{"sr":"${'x'.repeat(3000)}"}`])(
    'threat 12: the Work.ink reply %s gives no link',
    async (reply) => {
      expect((await makeLink('workink', [reply])).url).toBeUndefined();
    },
  );

  test('threat 7: a Work.ink token issued with the attempt is confirmed and deleted in one call', async () => {
    const { verdict, asked } = await check('workink', { token: TOKEN }, [`\n ${valid()}\n`]);

    expect(verdict).toEqual({ verdict: 'confirmed', ref: TOKEN });
    const url = `${exampleSettings.workink.apiBase}/_api/v2/token/isValid/${TOKEN}?deleteToken=1`;
    expect(asked).toEqual([{ url, spends: true }]);
  });

  test.each([
    { what: 'threat 7: a token older than the attempt', reply: valid({ createdAt: T0 - 1001 }) },
    { what: 'threat 8: a token of another link', reply: valid({ linkId: 99 }) },
    { what: 'an expired token', reply: valid({ expiresAfter: T0 }) },
    { what: 'a token that was not deleted', reply: valid().replace('"deleted":true', '"deleted":false') },
    { what: 'a reply about another token', reply: valid({ token: 'another' }) },
    { what: 'an unknown token', reply: '{"valid":false,"deleted":false}' },
  ])('$what is rejected', async ({ reply }) => {
    expect((await check('workink', { token: TOKEN }, [reply])).verdict).toEqual({ verdict: 'refused' });
  });

  test.each([
    '',
    '<html>',
    'true',
    'null',
    '[]',
    '{"valid":"true"}',
    '{"valid":true}',
    '{"valid":1}',
    `{"valid":true,"deleted":true,"info":{"token":"${TOKEN}","linkId":"10345","createdAt":"2026","expiresAfter":null}}`,
  ])('threat 12: the Work.ink reply %j neither confirms nor rejects the proof', async (reply) => {
    expect((await check('workink', { token: TOKEN }, [reply])).verdict).toEqual(UNAVAILABLE_VERDICT);
  });

  test.each(['not-a-uuid', TOKEN.replace('-4', '-1'), '../../override', `${TOKEN}/..`])(
    'the malformed token %j is rejected without a call to Work.ink',
    async (token) => {
      const { verdict, asked } = await check('workink', { token }, [valid()]);

      expect([verdict, asked]).toEqual([{ verdict: 'refused' }, []]);
    },
  );

  test('threat 2: a return without a token, or with its placeholder, brings no proof', () => {
    const { service } = createService();

    for (const query of [{}, { token: '' }, { token: '{TOKEN}' }])
      expect(service.bringsProof('workink', query)).toBe(false);
    expect(service.bringsProof('workink', { token: TOKEN })).toBe(true);
  });
});

describe('LootLabs', () => {
  test('LootLabs encrypts the return address, and its link has the attempt id but not the ticket', async () => {
    const { url, asked } = await makeLink('lootlabs', ['{"type":"fetched","message":"abc%2Bdef"}']);

    expect(url).toBe(`${exampleSettings.lootlabs.link}&data=abc%2Bdef&puid=attempt`);
    expect(asked).toMatchObject([
      {
        url: `${exampleSettings.lootlabs.apiBase}/api/public/url_encryptor`,
        method: 'POST',
        headers: { authorization: `Bearer ${exampleSettings.lootlabs.token}` },
        body: JSON.stringify({ destination_url: RETURN_URL }),
        isLenient: true,
      },
    ]);
    expect((await makeLink('lootlabs', ['{"type":"fetched","message":"a"}'], 'https://lootdest.org/s?Two')).url).toBe(
      'https://lootdest.org/s?Two&data=a&puid=attempt',
    );
  });

  test.each([
    ['abc%2Bdef%3D', 'abc%2Bdef%3D'],
    ['ab+c/d==', 'ab%2Bc%2Fd%3D%3D'],
    ['ab%2Bc/d%3D', 'ab%2Bc%2Fd%3D'],
  ])('encrypted data %j from LootLabs is encoded in the link as %s', async (message, data) => {
    expect((await makeLink('lootlabs', [JSON.stringify({ type: 'success', message })])).url).toContain(
      `&data=${data}&`,
    );
  });

  test.each([
    '',
    'null',
    '[]',
    '"fetched"',
    '<html>',
    '{"type":"error","message":"abc"}',
    '{"type":"fetched","message":7}',
    '{"type":"fetched","message":""}',
    '{"type":"fetched","message":"a&b=c"}',
    '{"type":"fetched","message":"a b"}',
    '{"type":"success","message":"https://site.example/api/keysystem/return/ticket"}',
  ])('threat 12: the LootLabs reply %j gives no link', async (reply) => {
    expect((await makeLink('lootlabs', [reply])).url).toBeUndefined();
  });

  test('a LootLabs proof is awaited as a postback', async () => {
    expect((await check('lootlabs', {}, [])).verdict).toEqual({ verdict: 'awaited' });
  });
});

describe('Rinku', () => {
  const GOOD = '{"status":"success","shortenedUrl":"https://rinku.me/abc"}';

  test('Rinku shortens a link for each attempt under a random alias', async () => {
    const first = await makeLink('rinku', [GOOD]);
    const second = await makeLink('rinku', [GOOD]);

    expect(first.url).toBe('https://rinku.me/abc');
    expect(first.asked).toMatchObject([{ spends: true, isLenient: true }]);
    const [one, two] = [first, second].map(({ asked }) => new URL(asked[0]?.url ?? '').searchParams);
    expect(one?.get('api')).toBe(exampleSettings.rinku.apiKey);
    expect(one?.get('url')).toBe(RETURN_URL);
    expect(one?.get('alias')).toMatch(/^[0-9a-f]{24}$/);
    expect(one?.get('alias')).not.toBe(two?.get('alias'));
  });

  test('a return from Rinku is confirmed without a proof', async () => {
    expect((await check('rinku', {}, [])).verdict).toEqual({ verdict: 'confirmed', ref: null });
  });

  test('a link that Rinku declined is requested again', async () => {
    const { service, answer } = createService();
    answer(FAILURES.declined, GOOD);

    expect(await service.createLink('rinku', { attemptId: 'a', returnUrl: RETURN_URL, link: null })).toBe(
      'https://rinku.me/abc',
    );
  });

  test.each([
    'https://evil.example/rinku.pro',
    'https://rinku.pro.evil.example/x',
    'https://rinku.pro@evil.example/x',
    'https://rinku.pro:8443/x',
    'javascript:alert(1)',
    'ftp://rinku.pro/x',
    '//evil.example',
    'nonsense',
  ])('threat 27: a Rinku link to another host is rejected: %s', async (shortenedUrl) => {
    const reply = JSON.stringify({ status: 'success', shortenedUrl });

    expect((await makeLink('rinku', [reply])).url).toBeUndefined();
  });
});

test.each(
  (['linkvertise', 'workink', 'lootlabs'] as const).flatMap((id) =>
    [
      'https://evil.example/123456',
      'https://link-to.net@evil.example',
      'https://work.ink.evil.example',
      'javascript:alert(1)//',
      'nonsense',
    ].map((link) => ({ id, link })),
  ),
)('threat 27: the link $link set for $id is rejected because of its host', async ({ id, link }) => {
  const reply = '{"sr":"override","type":"fetched","message":"abc%3D"}';

  expect((await makeLink(id, [reply], link)).url).toBeUndefined();
});
