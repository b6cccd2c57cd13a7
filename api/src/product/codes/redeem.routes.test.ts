import { expect, test } from 'vitest';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { buildReseller } from '#api/test/build-rows.ts';
import { createTestApi, TEST_PEPPER, type TestApi } from '#api/test/create-test-api.ts';
import { shortenHwid } from '#api/product/licences/links.ts';
import { sendEncodedVariant } from '#api/test/send-form.ts';
import { speakAs } from '#api/test/speak-as.ts';
import { HWID } from '#api/test/product/visitor-steps.ts';
import { issueCodes } from './codes.ts';
import { sealAudit } from '#api/test/sealed.ts';

const DAY = 24 * 60 * 60 * 1000;
const EMAIL = 'ada@example.com';
const UNKNOWN = '000000-000000-000000-000000';
const pseudonyms = createPseudonyms(TEST_PEPPER);

async function issue(api: TestApi, count = 1): Promise<{ batchId: string; codes: string[] }> {
  const resellerId = 'store';
  await api.db
    .insertInto('reseller')
    .values(buildReseller({ id: resellerId }))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const batch = { resellerId, planId: 'plus', count } as const;
  const issued = await issueCodes({ db: api.db, pseudonyms }, batch, { by: 'test', at: api.now() });
  if (!issued) throw new Error('No codes were issued.');
  return issued;
}

async function redeem(
  api: Pick<TestApi, 'post'>,
  changes: { code?: string | undefined; email?: unknown; hwid?: string } = {},
) {
  const res = await api.post('/api/redeem', { email: EMAIL, hwid: HWID, code: UNKNOWN, ...changes });
  return { status: res.status, body: (await res.json()) as Record<string, unknown>, headers: res.headers };
}

test('a code activates its plan for the device at once, in any spelling', async () => {
  const api = await createTestApi();
  const { codes } = await issue(api, 2);

  const until = api.now() + 30 * DAY;
  expect(await redeem(api, { code: codes[0]?.toLowerCase().replaceAll('-', ' ') })).toMatchObject({
    status: 200,
    body: { plan: 'plus', until, now: api.now() },
  });
  expect(await redeem(api, { code: codes[1] })).toMatchObject({ status: 200, body: { until: until + 30 * DAY } });
  expect(await api.db.selectFrom('licence').select('id').execute()).toHaveLength(1);
});

test('a code and a device id pasted from a chat are normalized', async () => {
  const api = await createTestApi();
  const [code = ''] = (await issue(api)).codes;
  const pasted = {
    code: `**${[...code].join('\u200b\u2060')}**`,
    hwid: `\u2068“${HWID.replaceAll('-', '\u2011')}”\u2069`,
  };

  expect(await redeem(api, pasted)).toMatchObject({ status: 200 });
  expect(await redeem(api, { code })).toMatchObject({ status: 200 });
  expect(await api.db.selectFrom('licencePeriod').select('id').execute()).toHaveLength(1);
});

test('the mail after a redemption names the plan and the reseller', async () => {
  const api = await createTestApi();
  await redeem(api, { code: (await issue(api)).codes[0] });

  const [mail, ...more] = await api.mails();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ kind: 'redeemed', to: EMAIL, subject: 'Your Plus plan is on' });
  expect(mail?.text).toContain('Your code worked.');
  expect(mail?.text).toContain('Code from: Store');
});

test('neither the database nor the log contains a code or a mail address', async () => {
  const api = await createTestApi();
  const { codes } = await issue(api);
  const code = codes[0] ?? '';
  await redeem(api, { code });

  const stored = JSON.stringify([
    await api.db.selectFrom('licenceCode').selectAll().execute(),
    await api.db.selectFrom('licence').selectAll().execute(),
    await (await sealAudit(api.db)).selectFrom('auditEvent').selectAll().execute(),
    api.logged,
  ]);
  for (const hidden of [code, code.replaceAll('-', ''), 'ada@', HWID]) expect(stored).not.toContain(hidden);
});

test('a used code is rejected for another device or another mail address', async () => {
  const api = await createTestApi();
  const [code] = (await issue(api)).codes;
  await redeem(api, { code });

  const used = { status: 409, body: { code: 'RDM_USED' } };
  expect(await redeem(api, { code, hwid: 'device-5678' })).toMatchObject(used);
  expect(await redeem(api, { code, email: 'eve@example.com' })).toMatchObject(used);
  expect(await api.db.selectFrom('licencePeriod').select('id').execute()).toHaveLength(1);
});

test('a repeated redemption by the same buyer gets the same answer until the plan ends', async () => {
  const api = await createTestApi();
  const [code] = (await issue(api)).codes;
  const { body } = await redeem(api, { code });

  expect(await redeem(api, { code, email: 'Ada@Example.com ' })).toMatchObject({ status: 200, body });
  api.pass(30 * DAY);
  expect(await redeem(api, { code })).toMatchObject({ status: 409, body: { code: 'RDM_USED' } });
  expect(await api.db.selectFrom('licencePeriod').select('id').execute()).toHaveLength(1);
});

test.each([
  { what: 'an unknown code', changes: {}, status: 404, code: 'RDM_CODE' },
  { what: 'a malformed code', changes: { code: 'plus please' }, status: 404, code: 'RDM_CODE' },
  { what: 'an empty code', changes: { code: ' ' }, status: 400, code: 'request.invalid' },
  { what: 'a code of 65 letters', changes: { code: '0'.repeat(65) }, status: 400, code: 'request.invalid' },
  { what: 'an invalid mail address', changes: { email: 'ada' }, status: 400, code: 'request.invalid' },
  {
    what: 'a mail address with a second header',
    changes: { email: 'a@b.c\r\nBcc: d@e.f' },
    status: 400,
    code: 'request.invalid',
  },
  { what: 'an invalid device id', changes: { hwid: '<script/>' }, status: 400, code: 'KS_HWID' },
])('$what is rejected with $code', async ({ changes, status, code }) => {
  const api = await createTestApi();

  expect(await redeem(api, changes)).toMatchObject({ status, body: { code } });
});

test('threat 37: many wrong codes do not block a redemption from the same or another address', async () => {
  const api = await createTestApi({ trustedHops: 1 });
  const { codes } = await issue(api, 2);
  const guesser = speakAs(api, { address: '203.0.113.9' });
  const wrong = await Promise.all(Array.from({ length: 150 }, () => redeem(guesser)));
  expect(wrong.filter(({ status }) => status !== 404)).toEqual([]);

  expect(await redeem(guesser, { code: codes[0] })).toMatchObject({ status: 200 });
  expect(await redeem(speakAs(api, { address: '203.0.113.200' }), { code: codes[1] })).toMatchObject({ status: 200 });
});

test('a form sent without JavaScript redeems once for the device of its page and confirms the device', async () => {
  const api = await createTestApi();
  const [code = ''] = (await issue(api)).codes;
  const referer = { referer: `${api.origin}/redeem?hwid=${HWID}&zone=z` };
  const send = (fields: Record<string, string>) =>
    sendEncodedVariant(api, '/api/redeem', { email: EMAIL, hwid: '', ...fields }, referer);

  const refused = await send({ code: UNKNOWN });
  expect(refused.status).toBe(404);
  const again = await refused.text();
  expect(again).toContain('That code doesn’t work.');
  for (const value of [UNKNOWN, EMAIL, HWID]) expect(again).toContain(`value="${value}"`);

  for (const turn of ['first', 'again']) {
    const done = await send({ code });
    expect([turn, done.status]).toEqual([turn, 200]);
    const page = await done.text();
    expect(page).toContain('<h1>Plus is on</h1>');
    expect(page).toContain(`It runs on device ${shortenHwid(HWID)} until `);
  }
  expect(await api.db.selectFrom('licencePeriod').select('id').execute()).toHaveLength(1);
});
