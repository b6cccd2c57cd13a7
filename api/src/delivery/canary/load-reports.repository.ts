import type { Db } from '#api/foundation/db/schema.ts';

/** Rows in a statement: below the smallest limit of parameters among the databases. */
const BATCH_SIZE = 100;

export interface Event {
  unit: string;
  version: string;
  kind: 'served' | 'failed';
}

/** The names of a network: today's, under which it is stored, and yesterday's; and that of its holder. */
type Network = readonly [today: string, yesterday: string, holder: string];

/** In how many of a holder's networks a version was served, and in how many of these it failed. */
export interface HolderCounts {
  served: number;
  failed: number;
}

export function createLoadReportsRepository(db: Db) {
  return {
    /** A network has one row for an event: that of today replaces that of yesterday. */
    async note(
      { unit, version, kind }: Event,
      networks: readonly Network[],
      at: number,
      reason: string | null = null,
    ): Promise<void> {
      // Sorted, so that two servers that write the same rows wait for each other and never deadlock.
      const sorted = [...networks].sort(([one], [other]) => (one < other ? -1 : 1));
      for (let from = 0; from < sorted.length; from += BATCH_SIZE) {
        const batch = sorted.slice(from, from + BATCH_SIZE);
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
          .values(
            batch.map(([networkHmac, , holderHmac]) => {
              return { unit, version, kind, networkHmac, holderHmac, reason, reportedAt: at };
            }),
          )
          .onConflict((conflict) =>
            conflict.columns(['unit', 'version', 'kind', 'networkHmac']).doUpdateSet({ reportedAt: at }),
          )
          .execute();
      }
    },

    /**
     * Counts for each holder the networks that got a version since a moment, and those of them in which it failed.
     * @param stable networks in which this version failed as well do not count as failed
     * @param limit how many networks are counted at most: those with the first HMACs, a sample that nobody can choose
     */
    async countByHolder(
      { unit, version }: Omit<Event, 'kind'>,
      stable: string | null,
      since: number,
      limit: number,
    ): Promise<HolderCounts[]> {
      const rows = await db
        .selectFrom((eb) =>
          eb
            .selectFrom('loadReport')
            .select((got) => ['networkHmac', got.fn.coalesce('holderHmac', 'networkHmac').as('holder')])
            .where('unit', '=', unit)
            .where('version', '=', version)
            .where('kind', '=', 'served')
            .where('reportedAt', '>=', since)
            .orderBy('networkHmac')
            .limit(limit)
            .as('got'),
        )
        .select((eb) => {
          const isFailed = (of: string | null) =>
            eb.exists(
              eb
                .selectFrom('loadReport')
                .select('loadReport.networkHmac')
                .whereRef('loadReport.networkHmac', '=', 'got.networkHmac')
                .where('unit', '=', unit)
                .where('version', '=', of)
                .where('kind', '=', 'failed')
                .where('reportedAt', '>=', since),
            );
          const networks = eb.fn.countAll<number | string>();
          return [
            networks.as('served'),
            networks.filterWhere(eb.and([isFailed(version), eb.not(isFailed(stable))])).as('failed'),
          ];
        })
        .groupBy('holder')
        .execute();
      return rows.map((row) => ({ served: Number(row.served), failed: Number(row.failed) }));
    },
  };
}
