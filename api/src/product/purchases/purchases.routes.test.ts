import { randomUUID } from 'node:crypto';
import { purchaseSchema } from '@app/contracts/purchases';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createOrderCipher } from '#api/product/payments/checkout.ts';
import { buildReseller, T0 } from '#api/test/build-rows.ts';
import { createTestApi, TEST_PEPPER, type TestApi } from '#api/test/create-test-api.ts';
import { insertOrder } from '#api/test/product/insert-order.ts';

const HOUR = 60 * 60 * 1000;

async function readFeed(api: TestApi, body: unknown = {}) {
  const res = await api.post('/api/latest-purchase', body);
  return v.parse(v.array(v.strictObject(purchaseSchema.entries)), await res.json());
}

test('without purchases the feed is an empty list, as in production', async () => {
  const api = await createTestApi();

  expect(await readFeed(api)).toEqual([]);
});

/** Seals who paid an order, as a payment does. */
const seal = (id: string, name: string | null) =>
  createOrderCipher(TEST_PEPPER).sealBuyer(id, { email: 'ada@example.com', name });

async function insertCode(api: TestApi, redeemedAt: number | null): Promise<void> {
  await api.db
    .insertInto('reseller')
    .values(buildReseller({ id: 'store' }))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await api.db
    .insertInto('licenceCode')
    .values({
      id: randomUUID(),
      codeHash: randomUUID(),
      resellerId: 'store',
      planId: 'plus',
      batchId: null,
      issuedAt: T0,
      redeemedAt,
    })
    .execute();
}

test('a purchase shows name, second, place and country, and nothing else of the order', async () => {
  const api = await createTestApi();
  await insertOrder(api.db, {
    id: 'order',
    paidAt: 1_800_000_000_999,
    countryCode: 'GB',
    showsName: 1,
    sealedBuyer: seal('order', 'Ada Lovelace'),
  });

  expect(await readFeed(api)).toEqual([
    { name: 'Ada', timestamp: 1_800_000_000, location: 'United Kingdom', country_code: 'GB' },
  ]);
});

test.each([
  { what: 'who did not agree to be named', showsName: 0, buyer: 'Ada Lovelace' },
  { what: 'whose name is not known', showsName: 1, buyer: null },
  { what: 'whose name is empty', showsName: 1, buyer: ' ' },
  { what: 'whose name advertises', showsName: 1, buyer: 'cheap-keys.example now' },
  { what: 'whose name is a number', showsName: 1, buyer: '+49 123' },
  { what: 'whose name has no end', showsName: 1, buyer: 'A'.repeat(31) },
])('a buyer $what is shown as Someone', async ({ showsName, buyer }) => {
  const api = await createTestApi();
  await insertOrder(api.db, { id: 'order', showsName, sealedBuyer: seal('order', buyer) });

  expect(await readFeed(api)).toMatchObject([{ name: 'Someone' }]);
});

test.each([
  { countryCode: 'VN', location: 'Vietnam' },
  { countryCode: 'de', location: 'Germany' },
  { countryCode: 'ZZ', location: '' },
  { countryCode: 'QQ', location: '' },
  { countryCode: 'toolong', location: '' },
  { countryCode: null, location: '' },
])('the place of $countryCode is shown as “$location”', async ({ countryCode, location }) => {
  const api = await createTestApi();
  await insertOrder(api.db, { countryCode });

  expect(await readFeed(api)).toMatchObject([{ location, country_code: countryCode ?? '' }]);
});

test('the feed has paid orders and redeemed codes, the newest first, without open and refunded ones', async () => {
  const api = await createTestApi();
  await insertOrder(api.db, { paidAt: T0 + 1000 });
  await insertOrder(api.db, { paidAt: T0 + 3000 });
  await insertOrder(api.db, { paidAt: T0 + 4000, state: 'refunded', refundedAt: T0 + 5000 });
  await insertOrder(api.db, { paidAt: null, state: 'redirected' });
  await insertCode(api, T0 + 2000);
  await insertCode(api, null);

  const feed = await readFeed(api);

  expect(feed.map(({ timestamp }) => timestamp * 1000 - T0)).toEqual([3000, 2000, 1000]);
  expect(feed[1]).toEqual({ name: 'Someone', timestamp: (T0 + 2000) / 1000, location: '', country_code: '' });
});

test('the feed has the newest twenty purchases', async () => {
  const api = await createTestApi();
  for (let n = 0; n < 11; n++) {
    await insertOrder(api.db, { paidAt: T0 + 2 * n * 1000 });
    await insertCode(api, T0 + (2 * n + 1) * 1000);
  }

  const feed = await readFeed(api);

  expect(feed.map(({ timestamp }) => timestamp - T0 / 1000)).toEqual(Array.from({ length: 20 }, (_, n) => 21 - n));
});

test('the demo feed ends with the first real purchase', async () => {
  const api = await createTestApi({ demoData: true });
  await insertCode(api, T0);

  expect(await readFeed(api)).toMatchObject([{ name: 'Someone' }]);
});

test('a development machine shows a feed over several days that is labelled as a demo', async () => {
  const api = await createTestApi({ demoData: true });

  const feed = await readFeed(api);
  const ages = feed.map(({ timestamp }) => api.now() - timestamp * 1000);

  expect(
    feed.every(({ name, country_code }) => /^Demo: \p{L}+ \p{L}\.$/u.test(name) && /^[A-Z]{2}$/.test(country_code)),
  ).toBe(true);
  expect(ages.filter((age) => age <= 30 * HOUR + 1000).length).toBeGreaterThanOrEqual(8);
  expect(Math.min(...ages)).toBeLessThan(HOUR);
  expect(ages.some((age) => Math.floor(age / HOUR) === 24)).toBe(true);
  expect(Math.max(...ages)).toBeGreaterThan(48 * HOUR);
});

test('a restart does not duplicate the demo feed, and a production server removes it', async () => {
  const signingKey = readSigningKey(generateSigningKey('test-key'));
  const { db } = await createTestApi({ demoData: true, signingKey });
  expect(await readFeed(await createTestApi({ db, demoData: true, signingKey }))).toHaveLength(10);
  const api = await createTestApi({ db, signingKey });

  expect(await readFeed(api)).toEqual([]);
});

test.each(['{', '"text"', 'null'])('a body of %s is rejected as a client error', async (body) => {
  const api = await createTestApi();

  const res = await api.ask('/api/latest-purchase', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });

  expect(res.status).toBe(400);
  expect(await res.json()).toMatchObject({ code: 'request.invalid' });
});
