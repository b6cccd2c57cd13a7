import { expect, test } from 'vitest';
import { createPseudonyms } from '#api/features/devices/pseudonyms.ts';
import { buildLicence } from '#api/test/build-rows.ts';
import { createTestApi, TEST_PEPPER, type TestApi } from '#api/test/create-test-api.ts';

const EMAIL = 'ada@example.com';

async function askForReset(api: TestApi, email: unknown) {
  const res = await api.post('/api/requestresetdevices', { email });
  return { status: res.status, type: res.headers.get('content-type'), text: await res.text() };
}

async function insertLicence(api: TestApi): Promise<void> {
  await api.db
    .insertInto('licence')
    .values(buildLicence({ id: 'licence', emailHmac: createPseudonyms(TEST_PEPPER).email(EMAIL) }))
    .execute();
}

function listRequests(api: TestApi) {
  return api.db.selectFrom('resetRequest').selectAll().execute();
}

test('an address without a licence is told so, word for word', async () => {
  const api = await createTestApi();

  expect(await askForReset(api, EMAIL)).toEqual({
    status: 404,
    type: 'text/plain; charset=utf-8',
    text: 'No active subscriptions or licenses.',
  });
  expect(await listRequests(api)).toEqual([]);
});

test.each([EMAIL, ` ${EMAIL} `, 'Ada@Example.COM'])(
  '"%s" finds the licence, and the request is good for half an hour',
  async (email) => {
    const api = await createTestApi();
    await insertLicence(api);

    expect(await askForReset(api, email)).toEqual({ status: 200, type: 'text/plain; charset=utf-8', text: 'OK' });
    expect(await listRequests(api)).toMatchObject([
      {
        licenceId: 'licence',
        tokenHash: expect.stringMatching(/^[\w-]{43}$/) as string,
        createdAt: api.now(),
        expiresAt: api.now() + 30 * 60_000,
      },
    ]);
  },
);

test('what is kept of a request does not reveal the address', async () => {
  const api = await createTestApi();
  await insertLicence(api);
  await askForReset(api, EMAIL);

  expect(JSON.stringify(await listRequests(api))).not.toContain('ada');
  expect(api.logged.join()).not.toContain('ada@');
});

test('the longest address there can be is one', async () => {
  const api = await createTestApi();

  expect((await askForReset(api, `${'a'.repeat(242)}@example.com`)).status).toBe(404);
});

test.each([
  { why: 'nothing', email: '' },
  { why: 'only spaces', email: '   ' },
  { why: 'no @', email: 'ada.example.com' },
  { why: 'two @', email: 'ada@home@example.com' },
  { why: 'nobody before the @', email: '@example.com' },
  { why: 'nothing after the @', email: 'ada@' },
  { why: 'a space inside', email: 'ada lovelace@example.com' },
  { why: 'more than 254 characters', email: `${'a'.repeat(243)}@example.com` },
  { why: 'a second header', email: 'ada@example.com\r\nBcc: all@example.com' },
  { why: 'a line feed', email: 'ada@example.c\nom' },
  { why: 'a line break at the end', email: `${EMAIL}\r\n` },
  { why: 'a NUL', email: 'ada\0@example.com' },
  { why: 'a list', email: [EMAIL] },
  { why: 'no member at all', email: undefined },
])('threat 30: $why is no address', async ({ email }) => {
  const api = await createTestApi();
  await insertLicence(api);

  expect(await askForReset(api, email)).toEqual({
    status: 400,
    type: 'text/plain; charset=utf-8',
    text: 'Please enter a valid email.',
  });
  expect(await listRequests(api)).toEqual([]);
});

test.each(['', '{', '"ada@example.com"', 'null'])('a body of %j is answered in plain text as well', async (body) => {
  const api = await createTestApi();

  const res = await api.ask('/api/requestresetdevices', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });

  expect(res.status).toBe(400);
  expect(await res.text()).toBe('Please enter a valid email.');
});
