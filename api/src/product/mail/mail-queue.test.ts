import { expect, test } from 'vitest';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { createMailQueue } from './mail-queue.ts';
import { buildReminder } from './mails.ts';
import { createMailsRepository } from './mails.repository.ts';

const MAIL = buildReminder({
  reader: { to: 'ada@example.com', country: null },
  baseUrl: 'https://example.com',
  planId: 'plus',
  until: T0,
  unsubscribe: 'https://example.com/api/unsubscribe?t=a.b',
});

describeEachDatabase('the queue of mails', (db) => {
  const queue = createMailQueue(TEST_PEPPER);
  const list = () => db().selectFrom('mail').selectAll().orderBy('id').execute();

  test('a mail waits encrypted: the database does not reveal to whom it goes or what it says', async () => {
    await queue.add({ mails: createMailsRepository(db()) }, MAIL, T0);

    const rows = await list();
    expect(JSON.stringify(rows)).not.toMatch(/ada@|example\.com|Your Plus|unsubscribe/);
    expect(rows.map((row) => queue.open(row))).toEqual([MAIL]);
  });

  test('a mail of a transaction that failed is not queued', async () => {
    const failing = db()
      .transaction()
      .execute(async (trx) => {
        await queue.add({ mails: createMailsRepository(trx) }, MAIL, T0);
        throw new Error('no');
      });

    await expect(failing).rejects.toThrow('no');
    expect(await list()).toEqual([]);
  });
});
