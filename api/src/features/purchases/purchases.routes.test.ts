import { purchaseSchema } from '@app/contracts/purchases';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { generateSigningKey, readSigningKey } from '#api/crypto/signing-key.ts';
import { buildPurchase } from '#api/test/build-rows.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';

const HOUR = 60 * 60 * 1000;

async function readFeed(api: TestApi, body: unknown = {}) {
  const res = await api.post('/api/latest-purchase', body);
  return v.parse(v.array(v.strictObject(purchaseSchema.entries)), await res.json());
}

test('without purchases the feed is an empty list, as in production', async () => {
  const api = await createTestApi();

  expect(await readFeed(api)).toEqual([]);
});

test('a purchase is told by name, second, place and country, and nothing else of it leaves', async () => {
  const api = await createTestApi();
  await api.db
    .insertInto('recentPurchase')
    .values(buildPurchase({ boughtAt: 1_800_000_000_999 }))
    .execute();

  expect(await readFeed(api)).toEqual([
    { name: 'Ada L.', timestamp: 1_800_000_000, location: 'London', country_code: 'GB' },
  ]);
});

test('the feed ends after the newest twenty', async () => {
  const api = await createTestApi();
  const rows = Array.from({ length: 21 }, (_, n) =>
    buildPurchase({ id: `p${n}`, boughtAt: 1_800_000_000_000 + n * 1000 }),
  );
  await api.db.insertInto('recentPurchase').values(rows).execute();

  const feed = await readFeed(api);

  expect(feed).toHaveLength(20);
  expect(feed.map(({ timestamp }) => timestamp)).toEqual(Array.from({ length: 20 }, (_, n) => 1_800_000_020 - n));
});

test('a development machine shows a demo that says it is one, over today, yesterday and before', async () => {
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

test('a production server that meets a development database removes the demo', async () => {
  const signingKey = readSigningKey(generateSigningKey('test-key'));
  const { db } = await createTestApi({ demoData: true, signingKey });
  const api = await createTestApi({ db, signingKey });

  expect(await readFeed(api)).toEqual([]);
});

test('members that a later page may send do no harm', async () => {
  const api = await createTestApi();

  expect(await readFeed(api, { since: 1 })).toEqual([]);
});

test.each(['{', '"text"', 'null'])('a body of %s is the caller’s mistake', async (body) => {
  const api = await createTestApi();

  const res = await api.ask('/api/latest-purchase', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });

  expect(res.status).toBe(400);
  expect(await res.json()).toMatchObject({ code: 'request.invalid' });
});
