import { expect, test } from 'vitest';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase, describeRace, runConcurrently } from '#api/test/databases/describe-each-database.ts';
import type { Db } from './schema.ts';
import { createOutbox } from './outbox.ts';

function queueMail(db: Db) {
  return db
    .insertInto('mail')
    .values({ id: 'mail', kind: 'receipt', sealedMessage: 'text', state: 'queued', createdAt: T0, nextTryAt: T0 })
    .execute();
}

describeEachDatabase('an outbox', (db) => {
  test('a failed attempt does not change a message that another server has since claimed', async () => {
    await queueMail(db());
    const outbox = createOutbox(db(), 'mail');
    const [late] = await outbox.claim(T0, 1);
    await outbox.releaseStaleClaims(T0);
    await outbox.claim(T0 + 1, 1);
    if (!late) throw new Error('Nothing was claimed.');

    await outbox.planRetry(late, T0 + 2, { error: 'ETIMEDOUT' });
    await outbox.giveUp(late, { error: 'ETIMEDOUT' });

    expect(await db().selectFrom('mail').selectAll().executeTakeFirst()).toMatchObject({
      state: 'sending',
      claimedAt: T0 + 1,
      error: null,
      tries: 2,
    });
  });
});

describeRace('two servers at once', (db) => {
  test('a message claimed by another server is left to that server', async () => {
    await queueMail(db());

    const second = await runConcurrently(
      db(),
      (trx) => createOutbox(trx, 'mail').claim(T0, 1),
      () => createOutbox(db(), 'mail').claim(T0, 1),
    );

    expect(second).toEqual([]);
  });
});
