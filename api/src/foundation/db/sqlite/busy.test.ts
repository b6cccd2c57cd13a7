import { DatabaseSync } from 'node:sqlite';
import { problemSchema } from '@app/contracts/problem';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { buildPurchase } from '#api/test/build-rows.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { holdWriteLock, openSqliteFile } from '#api/test/databases/sqlite-file.ts';
import { HWID, passCaptcha, readState, solveCaptcha, ZONE } from '#api/test/product/visitor-steps.ts';

const STEP_START = `/api/keysystemv2?hwid=${HWID}&zone=${ZONE}&advertiser=linkvertise&os=android`;

test('while another program writes, health checks and reads respond at once, and writes time out', async () => {
  const { file, db } = await openSqliteFile();
  const api = await createTestApi({ db });
  const token = await solveCaptcha(api);
  const { letGo } = await holdWriteLock(file);

  const order: string[] = [];
  const writing = Array.from({ length: 5 }, async () => {
    const res = await api.post('/api/v2/verify-captcha', {
      'g-recaptcha-response': token,
      hwid: HWID,
      OS: 'android',
      advertiser: 'linkvertise',
    });
    order.push('written');
    return res;
  });
  for (let asked = 0; asked < 20; asked++) expect((await api.ask('/healthz')).status).toBe(200);
  order.push('healthy');
  expect(await readState(api)).toMatchObject({ run: null });
  order.push('read');

  for (const res of await Promise.all(writing)) {
    expect(res.status).toBe(503);
    expect(Number(res.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(v.parse(problemSchema, await res.json())).toMatchObject({ code: 'server.busy', retryable: true });
  }
  expect(order.slice(0, 2)).toEqual(['healthy', 'read']);

  await letGo();
  await passCaptcha(api);
  expect((await api.visit(STEP_START)).status).toBe(302);
});

test('writes that wait for another program are each executed once when it finishes', async () => {
  const { file, db } = await openSqliteFile();
  const { letGo } = await holdWriteLock(file);

  const writing = Array.from({ length: 50 }, () =>
    db.transaction().execute(async (trx) => {
      const before = await trx.selectFrom('recentPurchase').select('id').execute();
      await trx
        .insertInto('recentPurchase')
        .values(buildPurchase({ boughtAt: before.length }))
        .execute();
    }),
  );
  expect(await db.selectFrom('recentPurchase').select('id').execute()).toEqual([]);
  await letGo();
  await Promise.all(writing);

  const purchases = await db.selectFrom('recentPurchase').select('boughtAt').orderBy('boughtAt').execute();
  expect(purchases.map(({ boughtAt }) => boughtAt)).toEqual(Array.from({ length: 50 }, (_, before) => before));

  const next = await holdWriteLock(file);
  const change = db.insertInto('recentPurchase').values(buildPurchase()).execute();
  await next.letGo();
  await change;
});

test('a transaction can write after a read, even while other programs try to write', async () => {
  const { file, db } = await openSqliteFile();
  const other = new DatabaseSync(file, { timeout: 0 });
  onTestFinished(() => void other.close());

  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('recentPurchase').select('id').execute();
    expect(() => other.exec('delete from recent_purchase')).toThrow('database is locked');
    await trx.insertInto('recentPurchase').values(buildPurchase()).execute();
  });

  expect(await db.selectFrom('recentPurchase').select('id').execute()).toHaveLength(1);
});

test('a long read does not block writes by other programs', async () => {
  const { file, db } = await openSqliteFile();
  const other = new DatabaseSync(file, { timeout: 0 });
  onTestFinished(() => void other.close());

  await db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await trx.selectFrom('recentPurchase').select('id').execute();
      other.exec(
        `insert into recent_purchase (id, name, location, country_code, bought_at) values ('theirs', 'Ada L.', 'London', 'GB', 1)`,
      );
      expect(await trx.selectFrom('recentPurchase').select('id').execute()).toEqual([]);
    });
});
