import { expect, test } from 'vitest';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { clickComplete, LONG_ENOUGH_MS, passCaptcha, requireLocation, WHO } from '#api/test/product/visitor-steps.ts';

test('a server that died during a check ends the check without a strike at its next start', async () => {
  let asked = false;
  const server = {
    advertisers: exampleSettings,
    signingKey: readSigningKey(generateSigningKey('test-key')),
    instance: 'server a',
  };
  const dead = await createTestApi({ ...server, callProvider: () => new Promise(() => (asked = true)) });
  await passCaptcha(dead);
  const link = new URL(await clickComplete(dead));
  dead.pass(LONG_ENOUGH_MS);
  const { pathname } = new URL(decodeURI(Buffer.from(link.searchParams.get('r') ?? '', 'base64').toString()));
  const address = `${pathname}?hash=${'a'.repeat(64)}`;
  dead.visit(address).catch(() => undefined);
  await expect.poll(() => asked).toBe(true);

  const callProvider = () => Promise.resolve('TRUE');
  const api = await createTestApi({ ...server, db: dead.db, startAt: dead.now(), callProvider });

  // The advertiser may have seen the token, so it is not asked again.
  expect(requireLocation(await api.visit(address))).toBe(
    `/key-system-1?${WHO}&advertiser=linkvertise&e=KS_PROVIDER_DOWN`,
  );
  expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
  expect(await clickComplete(api)).toContain('https://link-to.net/');
});
