import { sql, type RawBuilder, type Selectable } from 'kysely';
import { writesRow } from '#api/foundation/db/dialect.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import type { StatsTables } from '#api/foundation/db/tables/stats.ts';
import { CONFIRMABLE_STATES } from '#api/product/key-system/run-lifecycle.ts';

export type CountedKind = StatsTables['countedUntil']['what'];

export const OUTCOMES = ['sent', 'returned', 'credited', 'refused', 'lost'] as const;
export type Outcomes = Record<(typeof OUTCOMES)[number], number>;

/** The attempts of one app at one step with one advertiser, by what became of them. */
export type AttemptSums = Omit<Selectable<StatsTables['attemptCount']>, 'day'>;

export interface KeySums {
  appId: string;
  count: number;
}

/** Which rows are counted, by which column in time. Each column has an index. */
const SOURCES: Record<CountedKind, { table: string; at: string }> = {
  attempts: { table: 'step_attempt', at: 'issued_at' },
  issued: { table: 'access_key', at: 'issued_at' },
  withdrawn: { table: 'access_key', at: 'revoked_at' },
};

/** From when on, and before when; epoch milliseconds. */
interface Slice {
  from: number;
  before: number;
}

export function createCountsRepository(db: Db) {
  // Of all apps by their ids, too: the tables have no index of days alone.
  const appsOf = (appId: string | undefined) => (appId === undefined ? db.selectFrom('app').select('id') : [appId]);

  return {
    /** Up to when all of these have been counted, epoch milliseconds. */
    async readUntil(...what: CountedKind[]): Promise<number> {
      const { at } = await db
        .selectFrom('countedUntil')
        .select(({ fn }) => fn.min('at').as('at'))
        .where('what', 'in', what)
        .executeTakeFirstOrThrow();
      return Number(at);
    },

    /** Notes how far something is counted; false when another server has counted it meanwhile. */
    advance(what: CountedKind, from: number, to: number): Promise<boolean> {
      return writesRow(db.updateTable('countedUntil').set({ at: to }).where('what', '=', what).where('at', '=', from));
    },

    /** When the row after the first `skip` ones of a time happened; undefined when there is none. */
    async findTime(what: CountedKind, { from, before }: Slice, skip: number): Promise<number | undefined> {
      const [table, at] = [sql.raw(SOURCES[what].table), sql.raw(SOURCES[what].at)];
      const { rows } = await sql<{ at: number }>`
        SELECT ${at} AS at FROM ${table} WHERE ${at} >= ${from} AND ${at} < ${before} ORDER BY ${at} LIMIT 1 OFFSET ${skip}
      `.execute(db);
      return rows[0]?.at;
    },

    /** When the first attempt of a time was issued that ends after `endsAfter` and is not decided. */
    async findUndecided({ from, before }: Slice, endsAfter: number): Promise<number | undefined> {
      const { at } = await db
        .selectFrom('stepAttempt')
        .select(({ fn }) => fn.min<number | null>('issuedAt').as('at'))
        .where('issuedAt', '>=', from)
        .where('issuedAt', '<', before)
        .where('state', 'in', CONFIRMABLE_STATES)
        .where('expiresAt', '>', endsAfter)
        .executeTakeFirstOrThrow();
      return at ?? undefined;
    },

    /** Counts attempts of a time. One whose advertiser gave no link is none: its visitor never left. */
    sumAttempts({ from, before }: Slice): Promise<AttemptSums[]> {
      const having = (condition: RawBuilder<unknown>) => sql<number>`count(*) FILTER (WHERE ${condition})`;
      return db
        .selectFrom('stepAttempt')
        .innerJoin('run', 'run.id', 'stepAttempt.runId')
        .select(['run.appId', 'stepAttempt.step', 'advertiserId'])
        .select(({ fn }) => [
          fn.countAll<number>().as('sent'),
          having(sql`returned_at IS NOT NULL`).as('returned'),
          having(sql`step_attempt.state = 'verified'`).as('credited'),
          having(sql`step_attempt.state = 'rejected'`).as('refused'),
          having(sql`returned_at IS NULL AND step_attempt.state <> 'verified'`).as('lost'),
        ])
        .where('issuedAt', '>=', from)
        .where('issuedAt', '<', before)
        .where(sql<boolean>`NOT (step_attempt.state = 'expired' AND reason IS NOT NULL AND returned_at IS NULL)`)
        .groupBy(['run.appId', 'stepAttempt.step', 'advertiserId'])
        .execute();
    },

    /** Counts keys that were issued, or withdrawn while they still worked. */
    sumKeys(what: 'issued' | 'withdrawn', { from, before }: Slice): Promise<KeySums[]> {
      const at = what === 'issued' ? 'issuedAt' : 'revokedAt';
      return db
        .selectFrom('accessKey')
        .select(({ fn }) => ['appId', fn.countAll<number>().as('count')])
        .where(at, '>=', from)
        .where(at, '<', before)
        .whereRef(at, '<', 'expiresAt')
        .groupBy('appId')
        .execute();
    },

    async addAttempts(day: string, sums: readonly AttemptSums[]): Promise<void> {
      if (sums.length === 0) return;
      await db
        .insertInto('attemptCount')
        .values(sums.map((sum) => ({ ...sum, day })))
        .onConflict((conflict) =>
          conflict.columns(['appId', 'day', 'step', 'advertiserId']).doUpdateSet((is) => {
            const added = (outcome: keyof Outcomes) =>
              is(`attemptCount.${outcome}`, '+', is.ref(`excluded.${outcome}`));
            return {
              sent: added('sent'),
              returned: added('returned'),
              credited: added('credited'),
              refused: added('refused'),
              lost: added('lost'),
            };
          }),
        )
        .execute();
    },

    async addKeys(what: 'issued' | 'withdrawn', day: string, sums: readonly KeySums[]): Promise<void> {
      if (sums.length === 0) return;
      await db
        .insertInto('keyCount')
        .values(sums.map(({ appId, count }) => ({ appId, day, [what]: count })))
        .onConflict((conflict) =>
          conflict
            .columns(['appId', 'day'])
            .doUpdateSet((is) => ({ [what]: is(`keyCount.${what}`, '+', is.ref(`excluded.${what}`)) })),
        )
        .execute();
    },

    async forget(before: string): Promise<void> {
      for (const table of ['attemptCount', 'keyCount'] as const)
        await db.deleteFrom(table).where('day', '<', before).execute();
    },

    /** The attempts since a day, added up for each value of `by`. */
    readAttempts(by: 'day' | 'step' | 'advertiserId', { since, appId }: StatsQuery) {
      const total = (outcome: keyof Outcomes) => sql<number>`sum(${sql.ref(outcome)})`.as(outcome);
      return db
        .selectFrom('attemptCount')
        .select(['appId', sql<string | number>`${sql.ref(by)}`.as('of')])
        .select([total('sent'), total('returned'), total('credited'), total('refused'), total('lost')])
        .where('day', '>=', since)
        .where('appId', 'in', appsOf(appId))
        .groupBy(['appId', by])
        .orderBy('appId')
        .orderBy(by)
        .execute();
    },

    readKeys({ since, appId }: StatsQuery) {
      return db
        .selectFrom('keyCount')
        .selectAll()
        .where('day', '>=', since)
        .where('appId', 'in', appsOf(appId))
        .orderBy('appId')
        .orderBy('day')
        .execute();
    },
  };
}

/** The first day that is meant, and the app; all of them without one. */
export interface StatsQuery {
  since: string;
  appId: string | undefined;
}
