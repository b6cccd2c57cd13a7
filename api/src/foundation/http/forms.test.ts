import express, { type Response } from 'express';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { listen } from '#api/test/listen.ts';
import { sendEncodedVariant } from '#api/test/send-form.ts';
import { formBody, jsonOrForm } from './forms.ts';
import { handleError } from './handle-error.ts';

/** Every call that takes a form, and where its form is. */
const FORMS = [
  ['/api/redeem', '/redeem'],
  ['/api/requestresetdevices', '/v5#reset'],
  ['/api/reset-details', '/reset-devices'],
  ['/api/confirmresetdevices', '/reset-devices'],
  ['/api/claim-plan', '/plans'],
  ['/api/claim-details', '/claim-plan'],
  ['/api/confirm-claim', '/claim-plan'],
] as const;

test.each(FORMS)('threat 60: a cross-site POST to %s only redirects to our page', async (path, page) => {
  const api = await createTestApi();

  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-dest': 'iframe' },
    { origin: 'null', 'sec-fetch-site': '' },
  ]) {
    const res = await sendEncodedVariant(api, path, { email: 'ada@example.com' }, headers);
    expect([res.status, res.headers.get('location')], JSON.stringify(headers)).toEqual([303, page]);
  }
});

test.each(FORMS)('%s repeats a rejected form with its input and without scripts', async (path) => {
  const api = await createTestApi();
  const typed = '"><script>alert(1)</script>';

  const res = await sendEncodedVariant(api, path, { email: typed, code: typed, token: typed, hwid: typed });
  const page = await res.text();

  expect([400, 410]).toContain(res.status);
  expect(page).toContain('<h1>Not quite yet</h1>');
  expect(page).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  expect(page).not.toContain('<script');
  expect(page).toMatch(/<form method="post" action="\/api\/[\w-]+">/);
});

test.each(FORMS)('a form posted to %s by a program gets a response other than HTML', async (path) => {
  const api = await createTestApi();

  const res = await sendEncodedVariant(api, path, { email: 'a@example.com' }, { accept: '*/*' });

  expect([400, 410]).toContain(res.status);
  expect(res.headers.get('content-type')).not.toContain('html');
});

test('a duplicate, oversized or malformed form body is rejected', async () => {
  const api = await createTestApi();

  const twice = await sendEncodedVariant(api, '/api/redeem?code=1', {}, {});
  expect(twice.status).toBe(400);
  const unknown = { code: '000000-000000-000000-000000', email: 'ada@example.com', hwid: 'device-1234' };
  expect((await sendEncodedVariant(api, '/api/redeem', unknown)).status).toBe(404);
  const long = await sendEncodedVariant(api, '/api/redeem', { ...unknown, pad: 'x'.repeat(20_000) });
  expect(long.status).toBe(400);
  expect(await long.text()).toContain('Check every field');
});

test('a form sent during a database outage can be sent again later, with its input', async () => {
  const form = {
    ownOrigin: () => origin,
    page: '/plans',
    again: (_res: Response, typed: (name: string) => string) => ({
      action: '/api/form',
      label: 'Send',
      fields: [{ name: 'email', value: typed('email'), label: 'Email' }],
    }),
  };
  const origin = await listen(
    express()
      .post('/api/form', jsonOrForm(form), () => {
        throw new DatabaseUnavailable('away');
      })
      .use(handleError(() => undefined)),
  );

  const res = await sendEncodedVariant({ origin }, '/api/form', { email: 'ada@example.com' });

  expect(res.status).toBe(503);
  const page = await res.text();
  expect(page).toContain('<form method="post" action="/api/form">');
  expect(page).toContain('value="ada@example.com"');
});

test('a Vietnamese visitor gets the error and the form in Vietnamese', async () => {
  const api = await createTestApi();

  const page = await (
    await sendEncodedVariant(api, '/api/redeem', { code: 'x', email: 'a@example.com' }, { 'accept-language': 'vi' })
  ).text();

  expect(page).toContain('<h1>Chưa được rồi</h1>');
  expect(page).toContain('<label>ID thiết bị<input name="hwid"');
});

test('brackets in a field name do not create nested objects', async () => {
  const origin = await listen(express().post('/', formBody, ({ body }, res) => void res.json(body)));

  const res = await sendEncodedVariant({ origin }, '/', { 'email[to]': 'ada', 'email[]': 'eve' });
  expect(await res.json()).toEqual({ 'email[to]': 'ada', 'email[]': 'eve' });
});

test('accepts a form of twenty fields, and rejects one of more', async () => {
  const origin = await listen(
    express()
      .post('/', formBody, (_req, res) => void res.sendStatus(204))
      .use(handleError(() => undefined)),
  );
  const statusOf = async (fields: number) => {
    const form = Object.fromEntries(Array.from({ length: fields }, (_, nth) => [`field-${nth}`, '']));
    return (await sendEncodedVariant({ origin }, '/', form)).status;
  };

  expect([await statusOf(20), await statusOf(21)]).toEqual([204, 400]);
});

test('fields of a repeated form are required', async () => {
  const api = await createTestApi();
  const page = await (await sendEncodedVariant(api, '/api/redeem', {})).text();
  const shown = page.match(/<label>[^<]*<input [^>]*>/g) ?? [];

  expect(shown.length).toBeGreaterThan(0);
  for (const field of shown) expect(field).toMatch(/ required[ >]/);
});
