import { expect, test } from 'vitest';
import { DAY, useAuditChain } from '#api/test/audit-chain.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { sealAll } from './seal-audit.ts';

describeEachDatabase('an event that is not sealed yet', (db) => {
  const chain = useAuditChain(db);
  const record = () =>
    db()
      .insertInto('auditUnsealed')
      .values({ at: chain.time, kind: 'key', code: 'issued', subject: null, detail: '{}' })
      .execute();

  test('threat 32: its day is signed only with it, and one of today does not hold up the day before', async () => {
    await chain.append(1);
    await record();
    chain.time += DAY;
    expect(await chain.service().anchorEndedDays()).toEqual([]);

    await sealAll(db());
    await record();
    expect(await chain.service().anchorEndedDays()).toMatchObject([{ lastSeq: 2 }]);
  });
});
