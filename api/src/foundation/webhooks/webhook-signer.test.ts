import { expect, test } from 'vitest';
import { deriveSecret, sealText } from '#api/foundation/crypto/secrets.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { verifyWebhook } from '../../../../samples/webhooks/verify-webhook.ts';
import { createWebhookSigner } from './webhook-signer.ts';

const signer = createWebhookSigner(TEST_PEPPER);

/** The example of the specification's own libraries. */
const EXAMPLE = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: 1_614_265_330_999,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

test('messages are signed according to Standard Webhooks', () => {
  const sealedSecret = sealText(deriveSecret(TEST_PEPPER, 'secrets of webhooks'), 'hook', EXAMPLE.secret);

  expect(signer.sign({ id: 'hook', sealedSecret }, EXAMPLE)).toEqual({
    'webhook-id': EXAMPLE.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': EXAMPLE.signature,
  });
});

test('each webhook has its own secret, which the database alone does not reveal', () => {
  const [one, other] = [signer.createSecret('a'), signer.createSecret('b')];

  expect(one.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(one.secret).not.toBe(other.secret);
  expect(Buffer.from(one.sealedSecret, 'base64url').toString('latin1')).not.toContain(one.secret);
  expect(() => signer.sign({ id: 'b', sealedSecret: one.sealedSecret }, EXAMPLE)).toThrow();
});

test.each<[string, (plain: Record<string, string>) => Parameters<typeof verifyWebhook>[1]]>([
  ['of fetch, as Next.js, Hono, Bun and Deno give them', (plain) => new Headers(plain)],
  ['of Node', (plain) => ({ ...plain, 'x-other': undefined, 'set-cookie': ['a=1'] })],
  ['of a map', (plain) => new Map(Object.entries(plain))],
  ['with capital letters', (plain) => Object.fromEntries(Object.entries(plain).map(([k, v]) => [k.toUpperCase(), v]))],
])('the sample verifier accepts headers %s', (_whose, give) => {
  const { secret, id, body, signature } = EXAMPLE;
  const check = (timestamp: string) =>
    verifyWebhook(
      secret,
      give({ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }),
      body,
      1_614_265_330,
    );

  expect([check('1614265330'), check('1614265331')]).toEqual([true, false]);
});

test('the sample verifier accepts a message with two signatures, and rejects foreign, old and edited ones', () => {
  const { secret, id, body, signature } = EXAMPLE;
  const now = 1_614_265_330;
  const headers = { 'webhook-id': id, 'webhook-timestamp': '1614265330', 'webhook-signature': signature };
  const check = (changes: object, text = body, at = now) => verifyWebhook(secret, { ...headers, ...changes }, text, at);

  expect([check({}), check({ 'webhook-signature': `v1,AAAA v1a,x ${signature}` }), check({}, body, now + 300)]).toEqual(
    [true, true, true],
  );
  expect([
    check({}, `${body} `),
    check({}, body, now + 301),
    check({}, body, now - 301),
    check({ 'webhook-id': 'msg_other' }),
    check({ 'webhook-id': undefined }),
    check({ 'webhook-timestamp': '1614265331' }),
    check({ 'webhook-timestamp': '1.614265330e9' }),
    check({ 'webhook-signature': signature.slice(3) }),
    check({ 'webhook-signature': signature.replace('v1', 'v2') }),
    check({ 'webhook-signature': 'v1,' }),
  ]).toEqual(Array<boolean>(10).fill(false));
});
