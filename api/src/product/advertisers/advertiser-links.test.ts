import { describe, expect, test } from 'vitest';
import { clickComplete, WHO } from '#api/test/product/visitor-steps.ts';
import {
  createApiWith,
  attemptStates,
  countStrikes,
  DECLINED,
  FAILURES,
  LOOSE,
  type Reply,
} from '#api/test/product/answer-for-advertisers.ts';
import exampleSettings from './advertisers-settings.example.json' with { type: 'json' };

describe('links', () => {
  test('LootLabs’ carries the hidden address and the attempt, and never the ticket', async () => {
    const { api, asked } = await createApiWith({ link: '{"type":"fetched","message":"abc%2Bdef"}' });

    const link = await clickComplete(api, { advertiser: 'lootlabs' });

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

  test.each([
    ['abc%2Bdef%3D', 'abc%2Bdef%3D'],
    ['ab+c/d==', 'ab%2Bc%2Fd%3D%3D'],
    ['ab%2Bc/d%3D', 'ab%2Bc%2Fd%3D'],
  ])('LootLabs may say %j, and the link says %s', async (message, data) => {
    const { api } = await createApiWith({ link: JSON.stringify({ type: 'success', message }) });

    const link = await clickComplete(api, { advertiser: 'lootlabs' });

    expect(link).toMatch(/^https:\/\/loot-link\.com\/s\?AbCdEf12&data=[\w%]+&puid=[\w-]{34}$/);
    expect(link).toContain(`&data=${data}&`);
  });

  test.each(LOOSE)('may come with $what', async ({ send }) => {
    const reply = {
      type: 'fetched',
      message: 'abc',
      status: 'success',
      shortenedUrl: 'https://rinku.me/abc',
      sr: 'abc',
    };
    const { api } = await createApiWith({ link: (res) => send(res, JSON.stringify(reply)) });

    expect(await clickComplete(api, { advertiser: 'rinku' })).toBe('https://rinku.me/abc');
    expect(await clickComplete(api, { advertiser: 'lootlabs' })).toContain('&data=abc&');
    await api.db.updateTable('run').set({ step: 2 }).execute();
    expect(await clickComplete(api, { advertiser: 'workink', step: 2 })).toContain('sr=abc');
  });

  test.each(DECLINED)('is asked for again where the advertiser declines with %i', async (status) => {
    let declines = 1;
    const link: Reply = (res) =>
      declines-- > 0
        ? res.writeHead(status).end()
        : res.end('{"status":"success","shortenedUrl":"https://rinku.me/abc"}');
    const { api } = await createApiWith({ link });

    expect(await clickComplete(api, { advertiser: 'rinku' })).toBe('https://rinku.me/abc');
  });

  test('Rinku’s is made anew for every attempt, under an alias that cannot be guessed', async () => {
    const { api, asked } = await createApiWith({ link: '{"status":"success","shortenedUrl":"https://rinku.me/abc"}' });

    expect(await clickComplete(api, { advertiser: 'rinku' })).toBe('https://rinku.me/abc');
    await clickComplete(api, { advertiser: 'rinku' });

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
      '{"type":"fetched","message":""}',
      '{"type":"fetched","message":"a&b=c"}',
      '{"type":"fetched","message":"a b"}',
      '{"type":"success","message":"https://site.example/api/keysystem/return/ticket"}',
    ].map((reply) => ({ what: reply, reply })),
  ])('threat 12: where LootLabs answers $what there is no link, and no strike', async ({ reply }) => {
    const { api } = await createApiWith({ link: reply });

    expect(await clickComplete(api, { advertiser: 'lootlabs' })).toBe(
      `/key-system-1?${WHO}&advertiser=lootlabs&e=KS_PROVIDER_DOWN`,
    );
    expect(await attemptStates(api)).toEqual(['expired']);
    expect(await countStrikes(api)).toBe(0);
  });

  test.each(['{"sr":""}', '{"sr":1}', '{"sr":null}', '{}', `{"sr":"${'x'.repeat(3000)}"}`])(
    'threat 12: where Work.ink answers %s there is no link',
    async (link) => {
      const { api } = await createApiWith({ link });
      await clickComplete(api);
      await api.db.updateTable('run').set({ step: 2 }).execute();

      expect(await clickComplete(api, { advertiser: 'workink', step: 2 })).toContain('e=KS_PROVIDER_DOWN');
    },
  );

  test('an advertiser that was silent is asked once more for its link', async () => {
    let times = 0;
    const { api } = await createApiWith({
      link: (res) => (times++ === 0 ? undefined : res.end('{"type":"fetched","message":"abc"}')),
    });

    expect(await clickComplete(api, { advertiser: 'lootlabs' })).toContain('https://loot-link.com/');
  });

  test.each([
    'https://evil.example/rinku.pro',
    'https://rinku.pro.evil.example/x',
    'https://rinku.pro@evil.example/x',
    'https://rinku.pro:8443/x',
    'javascript:alert(1)',
    '//evil.example',
    'nonsense',
  ])('threat 27: a visitor is never sent to %s', async (shortenedUrl) => {
    const { api } = await createApiWith({ link: JSON.stringify({ status: 'success', shortenedUrl }) });

    expect(await clickComplete(api, { advertiser: 'rinku' })).toBe(
      `/key-system-1?${WHO}&advertiser=rinku&e=KS_PROVIDER_DOWN`,
    );
    expect(await attemptStates(api)).toEqual(['expired']);
  });

  test('a visitor whose advertiser gives no link may take another one at once', async () => {
    const { api } = await createApiWith({ link: 'Service Unavailable' });

    expect(await clickComplete(api, { advertiser: 'rinku' })).toContain('e=KS_PROVIDER_DOWN');
    expect(await clickComplete(api, { advertiser: 'linkvertise' })).toContain('https://link-to.net/');
  });
});
