import { expect, test } from 'vitest';
import { createTestApi, OWN_NAVIGATION } from '#api/test/create-test-api.ts';
import { WHO } from '#api/test/product/visitor-steps.ts';

const BUY = `/api/create-payment?${WHO}&mode=2&date=2026-01-15T12:00:00.000Z`;

test.each([
  { query: `${WHO}&mode=4`, code: 'PAY_MODE' },
  { query: `${WHO}&mode=0`, code: 'PAY_MODE' },
  { query: `${WHO}&mode=1.0`, code: 'PAY_MODE' },
  { query: `${WHO}&mode=1&mode=2`, code: 'PAY_MODE' },
  { query: WHO, code: 'PAY_MODE' },
  { query: 'zone=zone-1&mode=1', code: 'KS_HWID' },
  { query: 'hwid=<script>&mode=1', code: 'KS_HWID' },
  { query: 'hwid=device-1234&zone=%0d%0a&mode=1', code: 'KS_ZONE' },
  { query: 'hwid=device-1234&mode=1', code: 'KS_ZONE' },
])('threat 24: $query is rejected with $code', async ({ query, code }) => {
  const api = await createTestApi();

  const res = await api.visit(`/api/create-payment?${query}`);

  expect(res.status).toBe(400);
  expect(res.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(await res.json()).toMatchObject({ code });
});

test('threat 23: a purchase link of another site asks for confirmation', async () => {
  const api = await createTestApi();

  const res = await api.visit(BUY, { ...OWN_NAVIGATION, 'sec-fetch-site': 'cross-site' });
  const page = await res.text();

  expect(res.status).toBe(200);
  expect(page).toContain('<h1>Continue to payment?</h1>');
  expect(page).toContain(`action="${BUY.replaceAll('&', '&amp;')}"`);
});
