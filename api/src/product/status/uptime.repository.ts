import type { Selectable } from 'kysely';
import { executeRelaxed } from '#api/foundation/db/dialect.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import type { StatsTables } from '#api/foundation/db/tables/stats.ts';

export type UptimeDay = Selectable<StatsTables['uptimeDay']>;

export function createUptimeRepository(db: Db) {
  return {
    /** Counts a minute of a day, once: of several servers the first one. No request waits for it to reach the disk. */
    async note(day: string, minute: number): Promise<void> {
      await executeRelaxed(
        db,
        db
          .insertInto('uptimeDay')
          .values({ day, firstMinute: minute, lastMinute: minute, minutes: 1 })
          .onConflict((conflict) =>
            conflict
              .column('day')
              .doUpdateSet((is) => ({ lastMinute: minute, minutes: is('uptimeDay.minutes', '+', 1) }))
              .where('uptimeDay.lastMinute', '<', minute),
          ),
      );
    },

    /** Writes whole days, for a site to look at. */
    async put(days: readonly UptimeDay[]): Promise<void> {
      await db
        .insertInto('uptimeDay')
        .values(days)
        .onConflict((conflict) =>
          conflict.column('day').doUpdateSet((is) => ({
            firstMinute: is.ref('excluded.firstMinute'),
            lastMinute: is.ref('excluded.lastMinute'),
            minutes: is.ref('excluded.minutes'),
          })),
        )
        .execute();
    },

    list(since: string): Promise<UptimeDay[]> {
      return db.selectFrom('uptimeDay').selectAll().where('day', '>=', since).orderBy('day').execute();
    },
  };
}
