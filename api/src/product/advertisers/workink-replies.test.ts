import { describe, expect, test } from 'vitest';
import { LONG_ENOUGH_MS, readState, requireLocation, WHO } from '#api/test/product/visitor-steps.ts';
import {
  TOKEN,
  createApiWith,
  leaveThroughWorkink,
  countStrikes,
  DECLINED,
  FAILURES,
  LOOSE,
  type Reply,
} from '#api/test/product/answer-for-advertisers.ts';
import exampleSettings from './advertisers-settings.example.json' with { type: 'json' };

describe('Work.ink', () => {
  const good = { token: TOKEN, byIp: '192.0.2.1', linkId: exampleSettings.workink.linkIds[0] };
  const valid = (now: number, changes: object = {}) =>
    JSON.stringify({
      valid: true,
      deleted: true,
      info: { ...good, createdAt: now - 1000, expiresAfter: now + 60_000, ...changes },
    });
  const override = '{"sr":"override"}';

  test.each(DECLINED)('what it declines with %i is asked again', async (status) => {
    let declines = 1;
    const proof: Reply = (res, now) => (declines-- > 0 ? res.writeHead(status).end() : res.end(`\n ${valid(now)}\n`));
    const made = await createApiWith({ link: override, proof });

    expect(requireLocation(await made.api.visit(await leaveThroughWorkink(made)))).toContain('/key-system-3?');
  });

  test('is told where to send the visitor, and deletes a token when we ask about it', async () => {
    const made = await createApiWith({ link: override, proof: (res, now) => res.end(valid(now)) });
    const address = await leaveThroughWorkink(made);

    expect(requireLocation(await made.api.visit(address))).toContain('/key-system-3?');
    expect(address).toMatch(/\/api\/keysystem\/return\/[\w-]{43}\?token=/);
    expect(made.asked.at(-1)).toMatchObject({ method: 'GET', path: `/_api/v2/token/isValid/${TOKEN}?deleteToken=1` });
  });

  test.each([
    {
      what: 'threat 7: a token made before the visitor left',
      reply: (now: number) => valid(now, { createdAt: now - LONG_ENOUGH_MS - 1 }),
    },
    { what: 'threat 8: a token of a foreign link', reply: (now: number) => valid(now, { linkId: 99 }) },
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

  test('threat 7: a token made at the very moment the visitor left is a proof', async () => {
    const made = await createApiWith({
      link: override,
      proof: (res, now) => res.end(valid(now, { createdAt: now - LONG_ENOUGH_MS })),
    });

    expect(requireLocation(await made.api.visit(await leaveThroughWorkink(made)))).toContain('/key-system-3?');
  });

  test.each([
    ...FAILURES,
    ...LOOSE.map(({ what, send }): (typeof FAILURES)[number] => ({
      what: `${what} that says it is valid`,
      reply: (res, now) => send(res, valid(now)),
    })),
    ...[
      '{"valid":"true"}',
      '{"valid":true}',
      '{"valid":1}',
      'true',
      'null',
      '[]',
      `{"valid":true,"deleted":true,"info":{"token":"${TOKEN}","linkId":"10345","createdAt":"2026","expiresAfter":null}}`,
    ].map((reply) => ({ what: reply, reply })),
  ])('threat 12: $what neither credits nor blames', async ({ reply }) => {
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
    'is not asked where the address says "%s" for a token, which adds no strike',
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
