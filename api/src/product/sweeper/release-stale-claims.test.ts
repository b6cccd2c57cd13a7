import { expect, test } from 'vitest';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import {
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  WHO,
} from '#api/test/product/visitor-steps.ts';

const HASH = 'a'.repeat(64);
const SIGNING_KEY = readSigningKey(generateSigningKey('test-key'));

/** A server that died while it asked Linkvertise about a proof, and the return address of that visitor. */
async function dieDuringCheck() {
  let asked = false;
  const neverAnswers = () => {
    asked = true;
    return new Promise<string>(() => undefined);
  };
  const dead = await createTestApi({
    advertisers: exampleSettings,
    callProvider: neverAnswers,
    signingKey: SIGNING_KEY,
    instance: 'server a',
  });
  await passCaptcha(dead);
  const link = new URL(await clickComplete(dead));
  dead.pass(LONG_ENOUGH_MS);
  const { pathname } = new URL(decodeURI(Buffer.from(link.searchParams.get('r') ?? '', 'base64').toString()));
  dead.visit(`${pathname}?hash=${HASH}`).catch(() => undefined);
  await expect.poll(() => asked).toBe(true);

  const start = (instance: string): Promise<TestApi> =>
    createTestApi({
      db: dead.db,
      startAt: dead.now(),
      advertisers: exampleSettings,
      callProvider: () => Promise.resolve('TRUE'),
      signingKey: SIGNING_KEY,
      instance,
    });
  return { address: `${pathname}?hash=${HASH}`, start };
}

test('a start ends the check that its own dead process held: its visitor goes on at once, unblamed', async () => {
  const { address, start } = await dieDuringCheck();

  const api = await start('server a');

  // The advertiser may have seen the token, so it is not asked again.
  expect(requireLocation(await api.visit(address))).toBe(
    `/key-system-1?${WHO}&advertiser=linkvertise&e=KS_PROVIDER_DOWN`,
  );
  expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
  expect(await clickComplete(api)).toContain('https://link-to.net/');
});

test('a start gives back a token that was confirmed and held before', async () => {
  const { address, start } = await dieDuringCheck();
  const { db } = await start('server b');
  await db.updateTable('stepAttempt').set({ proofAt: 1, providerRef: HASH }).execute();

  const api = await start('server a');

  expect(requireLocation(await api.visit(address))).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
});

test('what another server holds is left to it', async () => {
  const { address, start } = await dieDuringCheck();

  const api = await start('server b');

  expect((await api.visit(address)).headers.get('refresh')).toBe('3');
  expect(await api.db.selectFrom('stepAttempt').select(['state', 'claimedBy']).execute()).toEqual([
    { state: 'checking', claimedBy: 'server a' },
  ]);
  expect(await readState(api)).toMatchObject({ run: { step: 1 } });
});
