import type { Unit } from '@app/contracts/unit';
import type { Db, FieldTimingRow } from '#api/foundation/db/schema.ts';

/** Rows in a statement: below the smallest limit of parameters among the databases. */
const BATCH_SIZE = 100;

export type TimingKey = Omit<FieldTimingRow, 'visits'>;

/** How many visits to the pages of a version were in a bucket, on all days together. */
export type TimingCount = Pick<FieldTimingRow, 'version' | 'page' | 'cached' | 'timing' | 'bucket' | 'visits'>;

export function createWebVitalsRepository(db: Db) {
  return {
    /** Adds visits to what any server has counted before; all of them or none. */
    async add(counts: readonly FieldTimingRow[]): Promise<void> {
      // Sorted, so that two servers that write the same rows wait for each other and never deadlock.
      const name = (row: FieldTimingRow) => Object.values({ ...row, visits: '' }).join(' ');
      const sorted = [...counts].sort((one, other) => (name(one) < name(other) ? -1 : 1));
      await db.transaction().execute(async (tx) => {
        for (let from = 0; from < sorted.length; from += BATCH_SIZE)
          await tx
            .insertInto('fieldTiming')
            .values(sorted.slice(from, from + BATCH_SIZE))
            .onConflict((conflict) =>
              conflict
                .columns(['unit', 'version', 'day', 'page', 'cached', 'timing', 'bucket'])
                .doUpdateSet((is) => ({ visits: is('fieldTiming.visits', '+', is.ref('excluded.visits')) })),
            )
            .execute();
      });
    },

    async list(unit: Unit, versions: readonly string[], since: number): Promise<TimingCount[]> {
      const rows = await db
        .selectFrom('fieldTiming')
        .select(['version', 'page', 'cached', 'timing', 'bucket', (eb) => eb.fn.sum<number>('visits').as('visits')])
        .where('unit', '=', unit)
        .where('version', 'in', versions)
        .where('day', '>=', since)
        .groupBy(['version', 'page', 'cached', 'timing', 'bucket'])
        .execute();
      return rows.map((row) => ({ ...row, visits: Number(row.visits) }));
    },

    async forget(before: number): Promise<void> {
      await db.deleteFrom('fieldTiming').where('day', '<', before).execute();
    },
  };
}
