import { describe, expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { findDeadOrigin } from '#api/test/listen.ts';
import { passCaptcha, clickComplete, readState, requireLocation, WHO } from '#api/test/product/visitor-steps.ts';
import {
  HASH,
  createApiWith,
  settingsAt,
  leaveThroughLinkvertise,
  attemptStates,
  countStrikes,
  DECLINED,
  FAILURES,
  LOOSE,
  type Reply,
} from '#api/test/product/answer-for-advertisers.ts';
import exampleSettings from './advertisers-settings.example.json' with { type: 'json' };

describe('Linkvertise', () => {
  test('its link names our account and hides the return address in base64 only', async () => {
    const { api } = await createApiWith({});

    const link = new URL(await clickComplete(api));

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

  test('may send its reply in pieces', async () => {
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

  test.each(['', '?hash=', '?hash[]=x', '?token=x'])(
    'threat 2: is not asked where the address has "%s" for a hash, which adds no strike',
    async (query) => {
      const { api, asked } = await createApiWith({ proof: 'TRUE' });

      const page = requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}${query}`));

      expect(page).toContain('e=KS_UNFINISHED');
      expect(asked).toEqual([]);
      expect(await countStrikes(api)).toBe(0);
    },
  );

  test.each(['true', ' TRUE ', 'TRUE\r\n', '\n\tTrue', '\uFEFFTRUE'])('the reply %j is a yes', async (proof) => {
    const { api } = await createApiWith({ proof });

    expect(requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`))).toContain(
      '/key-system-2?',
    );
  });

  test.each(['"TRUE"', 'TRUE FALSE', '1', '{"status":true}', 'Invalid token.'])(
    'threat 12: the reply %j neither credits nor blames',
    async (proof) => {
      const { api } = await createApiWith({ proof });

      const page = requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`));

      expect(page).toBe(`/key-system-1?${WHO}&advertiser=linkvertise&e=KS_PROVIDER_DOWN`);
      expect(await readState(api)).toMatchObject({ run: { step: 1 } });
      expect(await countStrikes(api)).toBe(0);
    },
  );

  test.each(DECLINED)('what it declines with %i is asked again', async (status) => {
    let declines = 2;
    const proof: Reply = (res) => (declines-- > 0 ? res.writeHead(status).end() : res.end('TRUE'));
    const { api, asked } = await createApiWith({ proof });

    const page = requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`));

    expect(page).toContain('/key-system-2?');
    expect(asked).toHaveLength(3);
  });

  test('threat 12: a FALSE to a repeated question adds no strike', async () => {
    let declines = 1;
    const proof: Reply = (res) => (declines-- > 0 ? res.writeHead(502).end() : res.end('FALSE'));
    const { api } = await createApiWith({ proof });

    expect(requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`))).toContain(
      'e=KS_PROVIDER_DOWN',
    );
    expect(await countStrikes(api)).toBe(0);
  });

  test('what it declines three times is asked no more, and adds no strike', async () => {
    const { api, asked } = await createApiWith({ proof: (res) => res.writeHead(429).end() });

    expect(requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`))).toContain(
      'e=KS_PROVIDER_DOWN',
    );
    expect(asked).toHaveLength(3);
    expect(await countStrikes(api)).toBe(0);
  });

  const looseYes = LOOSE.map(({ what, send }): (typeof FAILURES)[number] => ({
    what: `${what} that says TRUE`,
    reply: (res) => send(res, 'TRUE'),
  }));

  test.each([...FAILURES, ...looseYes])(
    'threat 12: $what neither credits nor blames, and is not asked for twice',
    async ({ reply }) => {
      const { api, asked } = await createApiWith({ proof: reply });
      const address = `${await leaveThroughLinkvertise(api)}?hash=${HASH}`;

      expect(requireLocation(await api.visit(address))).toContain('e=KS_PROVIDER_DOWN');
      expect(requireLocation(await api.visit(address))).toContain('e=KS_PROVIDER_DOWN');

      expect(asked).toHaveLength(1);
      expect(await attemptStates(api)).toEqual(['expired']);
      expect(await readState(api)).toMatchObject({ run: { step: 1 } });
      expect(await countStrikes(api)).toBe(0);
    },
  );

  test('threat 12: unreachable, it leaves ticket and proof usable', async () => {
    const api = await createTestApi({ advertisers: settingsAt(await findDeadOrigin()) });
    await passCaptcha(api);

    expect(requireLocation(await api.visit(`${await leaveThroughLinkvertise(api)}?hash=${HASH}`))).toContain(
      'e=KS_PROVIDER_DOWN',
    );
    expect(await attemptStates(api)).toEqual(['issued']);
  });

  test('threat 6: one hash for two devices at once, which it confirms to both, credits one of them', async () => {
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

  test('threat 6: a return that is opened twice asks about its hash once', async () => {
    const { api, asked } = await createApiWith({ proof: 'TRUE' });
    const address = `${await leaveThroughLinkvertise(api)}?hash=${HASH}`;

    await Promise.all([api.visit(address), api.visit(address), api.visit(address)]);

    expect(asked).toHaveLength(1);
    expect(await readState(api)).toMatchObject({ run: { step: 2 } });
  });
});
