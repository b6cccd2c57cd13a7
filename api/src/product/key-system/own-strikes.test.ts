import { describe, expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { openBrowser, speakAs, takeCookie } from '#api/test/speak-as.ts';
import {
  earnStrikes,
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  walkStep,
  WHO,
} from '#api/test/product/visitor-steps.ts';

const MINUTE = 60_000;

describe('whose strikes', () => {
  test('threat 16: a visitor who earns strikes on another’s device waits alone; its owner goes on, even from the same network', async () => {
    const api = await createTestApi({ trustedHops: 1 });
    const owner = speakAs(api, { cookie: await takeCookie(api), address: '198.51.100.7' });
    await passCaptcha(owner);
    await walkStep(owner);
    api.pass(1000);
    const attackers = [
      speakAs(api, { cookie: await takeCookie(api), address: '203.0.113.9' }),
      speakAs(api, { address: '198.51.100.8' }),
    ];
    for (const attacker of attackers) await earnStrikes(attacker, 3);

    for (const attacker of attackers) expect(await clickComplete(attacker)).toContain('r=KS_COOLDOWN');
    expect(await walkStep(owner, { step: 2 })).toBe(`/key-system-3?${WHO}&advertiser=linkvertise`);
  });

  test.each(['203.0.113.9', '198.51.100.8'])(
    'threat 16: a visitor who starts steps for another’s device, from %s, closes none of its owner’s tabs and uses up none of their tries',
    async (address) => {
      const api = await createTestApi({ trustedHops: 1 });
      const owner = speakAs(api, { cookie: await takeCookie(api), address: '198.51.100.7' });
      await passCaptcha(owner);
      const link = await clickComplete(owner);
      api.pass(1000);
      const attacker = speakAs(api, { address });
      for (let tries = 0; tries < 10; tries++) await clickComplete(attacker);

      expect(await clickComplete(attacker)).toContain('e=KS_LIMIT');
      api.pass(LONG_ENOUGH_MS);
      expect(requireLocation(await owner.visit(await finishAtAdvertiser(owner, link)))).toBe(
        `/key-system-2?${WHO}&advertiser=linkvertise`,
      );
    },
  );

  test('threat 16: ten networks together have a hundred tries an hour for a device; the browser that began its run has its own beside them', async () => {
    const api = await createTestApi({ trustedHops: 1 });
    const owner = openBrowser(api, { address: '198.51.100.7' });
    await passCaptcha(owner);
    await clickComplete(owner);
    api.pass(1000);
    const startStep = (network: number) => clickComplete(speakAs(api, { address: `203.0.${String(network)}.9` }));
    // The owner's first try counts towards the hundred.
    for (let tries = 1; tries < 100; tries++)
      expect(await startStep(Math.floor(tries / 10))).toContain('/dev/advertiser/');

    expect(await startStep(10)).toContain('e=KS_LIMIT');
    // The browser that began the run has ten tries of its own; its first try counts towards them.
    for (let tries = 1; tries < 10; tries++) expect(await clickComplete(owner)).toContain('/dev/advertiser/');
    expect(await clickComplete(owner)).toContain('e=KS_LIMIT');
    api.pass(60 * MINUTE - 1);
    expect(await startStep(10)).toContain('e=KS_LIMIT');
    api.pass(1);
    expect(await startStep(10)).toContain('/dev/advertiser/');
  });

  test('threat 16: a used proof that a stranger brings spoils their own try, not the run', async () => {
    const api = await createTestApi({ trustedHops: 1 });
    const owner = speakAs(api, { address: '198.51.100.7' });
    await passCaptcha(owner);
    await walkStep(owner);

    expect(await walkStep(speakAs(api, { address: '203.0.113.9' }), { step: 2 }, 'same_proof')).toContain('r=KS_REUSE');
    expect(await walkStep(owner, { step: 2 })).toBe(`/key-system-3?${WHO}&advertiser=linkvertise`);
    expect(await walkStep(owner, { step: 3 }, 'same_proof')).toContain('r=KS_REUSE');
    expect(await readState(owner)).toMatchObject({ run: null });
  });

  test('dropping the cookie gains nothing, nor does a fresh one', async () => {
    const api = await createTestApi({ trustedHops: 1 });
    const address = '203.0.113.9';
    const first = speakAs(api, { cookie: await takeCookie(api), address });
    await passCaptcha(first);
    await earnStrikes(first, 3);
    api.pass(1000);

    expect(await clickComplete(speakAs(api, { address }))).toContain('r=KS_COOLDOWN');
    expect(await clickComplete(speakAs(api, { cookie: await takeCookie(api), address }))).toContain('r=KS_COOLDOWN');
    expect(
      await clickComplete(speakAs(api, { cookie: '__Host-v=aaaaaaaaaaaaaaaaaaaaaa.1.' + 'a'.repeat(43), address })),
    ).toContain('r=KS_COOLDOWN');
  });

  test('a fresh cookie, kept from its first strike on, does not stop the counting', async () => {
    const api = await createTestApi({ trustedHops: 1 });
    const address = '203.0.113.9';
    await passCaptcha(speakAs(api, { address }));
    await earnStrikes(speakAs(api, { address }), 2);
    const fresh = speakAs(api, { cookie: await takeCookie(api), address });
    api.pass(1000);
    await earnStrikes(fresh, 1);

    expect(await clickComplete(fresh)).toContain('r=KS_COOLDOWN');
    expect(await clickComplete(speakAs(api, { cookie: await takeCookie(api), address }))).toContain('r=KS_COOLDOWN');
  });

  test('threat 33: a forged X-Forwarded-For does not make another network', async () => {
    const direct = await createTestApi();
    await passCaptcha(direct);
    await earnStrikes(direct, 3);
    expect(await clickComplete(speakAs(direct, { address: '203.0.113.9' }))).toContain('r=KS_COOLDOWN');

    const proxied = await createTestApi({ trustedHops: 1 });
    const attacker = speakAs(proxied, { address: '203.0.113.9' });
    await passCaptcha(attacker);
    await earnStrikes(attacker, 3);
    // Our proxy adds the last address; the client invented the ones before it.
    expect(await clickComplete(speakAs(proxied, { address: '198.51.100.1, 203.0.113.9' }))).toContain('r=KS_COOLDOWN');
  });
});
