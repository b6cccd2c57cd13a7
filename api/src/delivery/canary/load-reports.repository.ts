import type { Db } from '#api/foundation/db/schema.ts';

/** Rows in a statement: below the smallest limit of parameters among the databases. */
const BATCH = 100;

/** A version of a unit, and what happened to it. */
export interface Event {
  unit: string;
  version: string;
  kind: 'served' | 'failed';
}

/** The names of a network: today's, under which it is stored, and yesterday's. */
export type Network = readonly [string, string];

/** Statements about the networks that got a version, and those in which it failed. */
export function createLoadReportsRepository(db: Db) {
  return {
    /**
     * Notes an event in some networks. A network has one row for it: that of today replaces that of yesterday.
     */
    async note(
      { unit, version, kind }: Event,
      networks: readonly Network[],
      at: number,
      reason: string | null = null,
    ): Promise<void> {
      // Sorted, so that two servers that write the same rows wait for each other and never deadlock.
      const sorted = [...networks].sort(([one], [other]) => (one < other ? -1 : 1));
      for (let from = 0; from < sorted.length; from += BATCH) {
        const batch = sorted.slice(from, from + BATCH);
        await db
          .deleteFrom('loadReport')
          .where('unit', '=', unit)
          .where('version', '=', version)
          .where('kind', '=', kind)
          .where(
            'networkHmac',
            'in',
            batch.map(([, yesterday]) => yesterday),
          )
          .execute();
        await db
          .insertInto('loadReport')
          .values(batch.map(([networkHmac]) => ({ unit, version, kind, networkHmac, reason, reportedAt: at })))
          .onConflict((conflict) =>
            conflict.columns(['unit', 'version', 'kind', 'networkHmac']).doUpdateSet({ reportedAt: at }),
          )
          .execute();
      }
    },

    /**
     * Counts the networks with an event since a moment.
     * @param limit counting ends there
     * @param but networks with the same event of this version do not count
     */
    async count(
      { unit, version, kind }: Event,
      since: number,
      limit: number,
      but: string | null = null,
    ): Promise<number> {
      const { networks } = await db
        .selectFrom((eb) =>
          eb
            .selectFrom('loadReport')
            .select('networkHmac')
            .where('unit', '=', unit)
            .where('version', '=', version)
            .where('kind', '=', kind)
            .where('reportedAt', '>=', since)
            .where((outer) =>
              outer.not(
                outer.exists(
                  outer
                    .selectFrom('loadReport as other')
                    .select('other.networkHmac')
                    .whereRef('other.networkHmac', '=', 'loadReport.networkHmac')
                    .where('other.unit', '=', unit)
                    .where('other.version', '=', but)
                    .where('other.kind', '=', kind)
                    .where('other.reportedAt', '>=', since),
                ),
              ),
            )
            .limit(limit)
            .as('report'),
        )
        .select((eb) => eb.fn.countAll<number | string>().as('networks'))
        .executeTakeFirstOrThrow();
      return Number(networks);
    },
  };
}
