import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { insertLicence } from '#api/test/product/insert-licence.ts';
import { readToken } from '#api/test/product/link-steps.ts';

const EMAIL = 'ada@example.com';

async function askForReset(api: TestApi, email: unknown) {
  const res = await api.post('/api/requestresetdevices', { email });
  return { status: res.status, type: res.headers.get('content-type'), text: await res.text() };
}

function listRequests(api: TestApi) {
  return api.db.selectFrom('resetRequest').selectAll().execute();
}

test('a mail address without a licence gets the answer of the specification', async () => {
  const api = await createTestApi();

  expect(await askForReset(api, EMAIL)).toEqual({
    status: 404,
    type: 'text/plain; charset=utf-8',
    text: 'No active subscriptions or licenses.',
  });
  expect(await listRequests(api)).toEqual([]);
});

test.each([EMAIL, ` ${EMAIL} `, 'Ada@Example.COM'])(
  '"%s" finds the licence, and the reset request expires after half an hour',
  async (email) => {
    const api = await createTestApi();
    await insertLicence(api.db, { email: EMAIL, startsAt: api.now() });

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

test.each([
  ['jo@bücher.example', 'jo@xn--bcher-kva.example'],
  ['jo@xn--bcher-kva.example', 'Jo@BÜCHER.example'],
  [EMAIL, `mailto:${EMAIL}`],
  [EMAIL, `Ada Lovelace <${EMAIL}>`],
  [EMAIL, `\u200E${EMAIL}\u200B`],
])('an address paid with as %s is found as %s, and the mail is sent to the address that paid', async (paid, typed) => {
  const api = await createTestApi();
  await insertLicence(api.db, { email: paid, startsAt: api.now() });

  expect((await askForReset(api, typed)).status).toBe(200);
  expect(await api.mails()).toMatchObject([{ to: paid }]);
});

test('a mail address of the maximum length is accepted', async () => {
  const api = await createTestApi();

  expect((await askForReset(api, `${'a'.repeat(242)}@example.com`)).status).toBe(404);
});

test.each([
  { why: 'nothing', email: '' },
  { why: 'only spaces', email: '   ' },
  { why: 'no @', email: 'ada.example.com' },
  { why: 'two @', email: 'ada@home@example.com' },
  { why: 'nothing before the @', email: '@example.com' },
  { why: 'nothing after the @', email: 'ada@' },
  { why: 'a space inside', email: 'ada lovelace@example.com' },
  { why: 'more than 254 characters', email: `${'a'.repeat(243)}@example.com` },
  { why: 'a second header', email: 'ada@example.com\r\nBcc: all@example.com' },
  { why: 'a line feed', email: 'ada@example.c\nom' },
  { why: 'a line break at the end', email: `${EMAIL}\r\n` },
  { why: 'a NUL', email: 'ada\0@example.com' },
  { why: 'a list', email: [EMAIL] },
  { why: 'no member at all', email: undefined },
])('threat 30: $why is rejected as a mail address', async ({ email }) => {
  const api = await createTestApi();
  await insertLicence(api.db, { email: EMAIL, startsAt: api.now() });

  expect(await askForReset(api, email)).toEqual({
    status: 400,
    type: 'text/plain; charset=utf-8',
    text: 'Please enter a valid email.',
  });
  expect(await listRequests(api)).toEqual([]);
});

test.each(['', '{', '"ada@example.com"', 'null'])('a body of %j is answered as plain text', async (body) => {
  const api = await createTestApi();

  const res = await api.ask('/api/requestresetdevices', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });

  expect(res.status).toBe(400);
  expect(await res.text()).toBe('Please enter a valid email.');
});

test('the reset mail is sent to the address that paid, and its link is stored as a hash only', async () => {
  const api = await createTestApi();
  await insertLicence(api.db, { email: EMAIL, startsAt: api.now() });

  await askForReset(api, 'ADA@EXAMPLE.COM');

  const [mail] = await api.mails();
  const token = await readToken(api);
  expect(mail).toMatchObject({ kind: 'reset-link', to: EMAIL });
  expect(mail?.text).toContain(`${api.origin}/reset-devices#t=${token}\n`);
  expect(token).toHaveLength(43);
  const stored = JSON.stringify(await listRequests(api));
  for (const hidden of [token, 'ada@']) expect(stored).not.toContain(hidden);
  expect(api.logged.join()).not.toContain('ada@');
});

test('threat 29: the link in the mail uses the configured origin, whatever Host header the request had', async () => {
  const api = await createTestApi({ baseUrl: () => 'https://site.example' });
  await insertLicence(api.db, { startsAt: api.now() });
  const { port } = new URL(api.origin);

  const socket = connect(Number(port), '127.0.0.1');
  const body = JSON.stringify({ email: EMAIL });
  socket.write(
    `POST /api/requestresetdevices HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\nConnection: close\r\n\r\n${body}`,
  );
  expect(await text(socket)).toContain('200 OK');

  const [mail] = await api.mails();
  expect(mail?.text).toContain('https://site.example/reset-devices#t=');
  expect(JSON.stringify(mail)).not.toContain('evil');
});

const askFrom = (api: TestApi, address: string, email: string = EMAIL) =>
  api.ask('/api/requestresetdevices', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email }),
  });

test('threat 28: a network is limited to three requests a day per mailbox, in any spelling', async () => {
  const api = await createTestApi({ trustedHops: 1 });
  await insertLicence(api.db, { startsAt: api.now() });

  for (const [index, email] of [EMAIL, ` ${EMAIL}`, 'Ada@example.com'].entries()) {
    expect((await askFrom(api, `192.0.2.${String(index)}`, email)).status).toBe(200);
    api.pass(5000);
  }
  const fourth = await askFrom(api, '192.0.2.9', 'ADA@example.com');

  expect(fourth.status).toBe(429);
  expect(await fourth.text()).toBe('Too many requests.');
  expect(await api.mails()).toHaveLength(3);
});

test('threat 28: visitors who know a mail address block neither requests nor valid links of its owner', async () => {
  const api = await createTestApi({ trustedHops: 1 });
  await insertLicence(api.db, { startsAt: api.now() });
  const owner = await askFrom(api, '198.51.100.1');
  const token = await readToken(api);

  for (const network of [1, 2, 3]) {
    for (let times = 0; times < 3; times++) {
      api.pass(5000);
      expect((await askFrom(api, `192.0.${String(network)}.1`)).status).toBe(200);
    }
  }

  expect([owner.status, (await askFrom(api, '198.51.100.1')).status]).toEqual([200, 200]);
  expect(await api.mails()).toHaveLength(3);
  expect((await api.post('/api/confirmresetdevices', { token })).status).toBe(204);
});

test('a request that the browser repeats after a broken connection sends no second mail', async () => {
  const api = await createTestApi();
  await insertLicence(api.db, { startsAt: api.now() });
  const ask = () => api.post('/api/requestresetdevices', { email: EMAIL });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  expect(await api.mails()).toHaveLength(1);

  api.pass(5000);
  await ask();
  expect(await api.mails()).toHaveLength(2);
});

test('threat 28: a mailbox whose links have expired receives new ones', async () => {
  const api = await createTestApi({ trustedHops: 1 });
  await insertLicence(api.db, { startsAt: api.now() });
  for (const network of [1, 2, 3, 4]) {
    await askFrom(api, `192.0.${String(network)}.1`);
    api.pass(5000);
  }
  expect(await api.mails()).toHaveLength(3);

  api.pass(30 * 60_000);
  await askFrom(api, '192.0.5.1');

  expect(await api.mails()).toHaveLength(4);
});

test('a mailbox that rejects mail is reported to the visitor unless strict privacy is on', async () => {
  for (const [resetPrivacy, status] of [
    ['spec', 502],
    ['strict', 200],
  ] as const) {
    const api = await createTestApi({ resetPrivacy });
    await insertLicence(api.db, { startsAt: api.now() });
    api.mailQueue.onWake(() => {
      const ids = api.db.selectFrom('mail').select('id').execute();
      void ids.then((mails) => mails.forEach(({ id }) => api.mailQueue.onAttempt(id, true)));
    });

    expect((await askForReset(api, EMAIL)).status).toBe(status);
  }
});

test('threat 28: with strict privacy a mail address with a plan and one without get the same answer', async () => {
  const api = await createTestApi({ resetPrivacy: 'strict' });
  await insertLicence(api.db, { startsAt: api.now() });

  const stranger = await askForReset(api, 'stranger@example.com');
  const customer = await askForReset(api, EMAIL);

  expect(stranger).toEqual({ status: 200, type: 'text/plain; charset=utf-8', text: 'OK' });
  expect(customer).toEqual(stranger);
  await expect.poll(async () => (await api.mails()).map(({ to }) => to)).toEqual([EMAIL]);
  expect((await askForReset(api, 'no address')).status).toBe(400);
});

test('threat 28: with strict privacy the response time does not depend on stored licences', async () => {
  const api = await createTestApi({ resetPrivacy: 'strict' });
  await insertLicence(api.db, { startsAt: api.now() });
  await api.db.destroy();

  expect(await askForReset(api, EMAIL)).toMatchObject({ status: 200, text: 'OK' });
  await expect.poll(() => api.logged.join()).toContain('link not mailed');
  expect(api.logged.join()).not.toContain('ada@');
});
