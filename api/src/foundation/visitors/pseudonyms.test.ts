import { expect, test } from 'vitest';
import { createTestApi, TEST_PEPPER } from '#api/test/create-test-api.ts';
import { speakAs } from '#api/test/speak-as.ts';
import { passCaptcha, clickComplete, walkStep } from '#api/test/product/visitor-steps.ts';
import { canonicalEmail, createPseudonyms, keySubject } from './pseudonyms.ts';

const DAY = 24 * 60 * 60 * 1000;
/** In the future, because the captcha library also uses the real time. */
const MIDNIGHT = Date.UTC(2100, 0, 2);

test('a network has a new pseudonym every day, and is also found under that of yesterday', () => {
  const pseudonyms = createPseudonyms(TEST_PEPPER);
  const names = (at: number) => pseudonyms.networks('203.0.113', at);

  expect(names(MIDNIGHT + DAY - 1)).toEqual(names(MIDNIGHT));
  expect(names(MIDNIGHT + DAY)[1]).toBe(names(MIDNIGHT)[0]);
  expect(names(MIDNIGHT + DAY)[0]).not.toBe(names(MIDNIGHT)[0]);
  expect(names(MIDNIGHT + 2 * DAY)).not.toContain(names(MIDNIGHT)[0]);
});

test('pseudonyms stored by earlier versions are still found', () => {
  const pseudonyms = createPseudonyms(TEST_PEPPER);

  expect(pseudonyms.hwid('device-1234')).toBe('pybVO44sxFAqYeglDM4q1Aoo3ttLAbAEcOtYWemSFWo');
  expect(pseudonyms.email('Ada@Example.com')).toBe('7eDAw6llM4vpeJK2KBzT9DEUn8onPR2y-JZcz41gjkY');
  expect(pseudonyms.zone('zone-1')).toBe('QSCr5k2uaCPtNX7hv2pT_N2imKEyVaJSXGXRpRJ6N6E');
  expect(pseudonyms.zone('')).toBe('');
  expect(pseudonyms.networks('203.0.113', 1_800_000_000_000)).toEqual([
    'r6uKgib2gb5A6OsctQiPiziwQvokMM7d_iH1c9_UN-E',
    '13ZWMWwOh9_oKmhYp4Hvf0aqRjFbXYcgElH--mB55t8',
  ]);
  expect(keySubject('device-1234')).toBe('CRLY7fXXPLqVzqSltDNqzk7gH4GpWCVWvk_PtqyOHgc');
});

test('an email address with the Kelvin sign differs from the one with the letter k', () => {
  const { email } = createPseudonyms(TEST_PEPPER);

  expect(email('\u212Aate@example.com')).not.toBe(email('kate@example.com'));
  expect(email('\u212AATE@Example.com')).toBe(email('\u212Aate@example.com'));
  expect(email('KATE@EXAMPLE.COM')).toBe(email('kate@example.com'));
});

test('strikes of a network continue after midnight, under its new pseudonym', async () => {
  const api = await createTestApi({ startAt: MIDNIGHT - 2 * 60_000, trustedHops: 1 });
  const struck = speakAs(api, { address: '203.0.113.9' });
  await passCaptcha(struck);
  for (let strikes = 0; strikes < 3; strikes++)
    expect(await walkStep(struck, {}, 'wrong_proof')).toContain('r=KS_PROOF');
  api.pass(60_000);

  expect(api.now()).toBeGreaterThan(MIDNIGHT);
  expect(await clickComplete(struck)).toContain('r=KS_COOLDOWN');
  expect(await clickComplete(speakAs(api, { address: '198.51.100.7' }))).not.toContain('r=KS_COOLDOWN');
});

test('run starts of a network continue to be counted after midnight', async () => {
  const api = await createTestApi({ startAt: MIDNIGHT - 60_000 });
  for (let runs = 0; runs < 6; runs++) {
    await passCaptcha(api);
    expect(await clickComplete(api)).toContain('/dev/advertiser/');
    await api.db.deleteFrom('stepAttempt').execute();
    await api.db.updateTable('run').set({ state: 'cancelled' }).execute();
  }
  api.pass(2 * 60_000);
  await passCaptcha(api);

  expect(await clickComplete(api)).toContain('e=KS_LIMIT');
});

test.each([
  ['jo@bücher.example', 'jo@xn--bcher-kva.example'],
  ['JO@BU\u0308CHER.Example.', 'jo@xn--bcher-kva.example'],
  ['jo@xn--BCHER-kva.example', 'jo@xn--bcher-kva.example'],
  ['Jo@ｂücher。example', 'jo@xn--bcher-kva.example'],
  ['jose\u0301@mail.example', 'josé@mail.example'],
  ['JOSÉ@MAIL.EXAMPLE', 'josé@mail.example'],
  ['jo@straße.example', 'jo@xn--strae-oqa.example'],
  ['jo@[192.0.2.1]', 'jo@[192.0.2.1]'],
  ['jo@mail.example。', 'jo@mail.example'],
  ['Jo@[IPv6:2001:DB8::1]', 'jo@[ipv6:2001:db8::1]'],
])('normalizes %s to the mailbox %s', (email, canonical) => {
  expect(canonicalEmail(email)).toBe(canonical);
  expect(canonicalEmail(canonical)).toBe(canonical);
});

test.each([
  ['jo@straße.example', 'jo@strasse.example'],
  ['jo+a@mail.example', 'jo@mail.example'],
  ['j.o@mail.example', 'jo@mail.example'],
  ['jo@mail.example/a', 'jo@mail.example'],
  ['jo@mail.example\\a', 'jo@mail.example'],
  ['jo@mail.example?a', 'jo@mail.example'],
  ['jo@mail.example#a', 'jo@mail.example'],
  ['jo@%6dail.example', 'jo@mail.example'],
  ['jo@mail.example:25', 'jo@mail.example'],
  ['jo@ශ\u0dca\u200dරී.example', 'jo@ශ\u0dcaරී.example'],
  ['\u1fefjo@mail.example', '`jo@mail.example'],
  ['jo\u037e@mail.example', 'jo;@mail.example'],
])('treats %s and %s as different mailboxes', (one, other) => {
  expect(canonicalEmail(one)).not.toBe(canonicalEmail(other));
});
