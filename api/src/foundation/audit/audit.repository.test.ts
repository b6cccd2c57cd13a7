import { expect, test } from 'vitest';
import { recordEvent } from '#api/test/audit-chain.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createAuditRepository } from './audit.repository.ts';

describeEachDatabase('the rows of the audit', (db) => {
  test('the newest are listed, the oldest of them first', async () => {
    for (const subject of ['one', 'other', 'two', 'one'])
      await recordEvent(db(), { at: T0, kind: 'key', code: 'issued', subject });
    const audit = createAuditRepository(db());

    expect((await audit.listNewest(3)).map(({ seq }) => seq)).toEqual([2, 3, 4]);
  });
});
