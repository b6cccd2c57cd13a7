import { expect, test } from 'vitest';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { insertRun } from '#api/test/build-rows.ts';
import { prepare } from './prepare.ts';

describeEachDatabase('prepared statements', (db) => {
  test('a prepared statement is built once and runs with the values of each call', async () => {
    let built = 0;
    const find = prepare((on, { id, state }: { id: string; state: 'open' | 'completed' }) => {
      built++;
      return on.selectFrom('run').select(['id', 'stepsRequired']).where('state', '=', state).where('id', '=', id);
    });
    const [one, other] = [await insertRun(db()), await insertRun(db(), { hwidHmac: 'other' })];

    expect(await find(db(), { id: one.id, state: 'open' })).toEqual([{ id: one.id, stepsRequired: 6 }]);
    expect(
      await db()
        .transaction()
        .execute((tx) => find(tx, { id: other.id, state: 'open' })),
    ).toHaveLength(1);
    expect(await find(db(), { id: one.id, state: 'completed' })).toEqual([]);
    expect(built).toBe(1);
  });

  test('a prepared statement is built again for a call that gives other values', async () => {
    const find = prepare((on, { id, state }: { id: string; state?: 'completed' }) => {
      const found = on.selectFrom('run').select('id').where('id', '=', id);
      return state === undefined ? found : found.where('state', '=', state);
    });
    const { id } = await insertRun(db());

    expect(await find(db(), { id })).toEqual([{ id }]);
    expect(await find(db(), { id, state: 'completed' })).toEqual([]);
  });

  test('a prepared statement that calculates with a value is refused', async () => {
    const next = prepare((on, { step }: { step: number }) =>
      on
        .selectFrom('run')
        .select('id')
        .where('step', '=', step + 1),
    );
    await expect(next(db(), { step: 1 })).rejects.toThrow('step is not known while the statement is built');
  });
});
