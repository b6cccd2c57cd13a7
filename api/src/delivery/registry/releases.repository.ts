import type { Unit } from '@app/contracts/release';
import type { Db, NewRelease, ReleaseRow } from '#api/foundation/db/schema.ts';

/** By whom a release was published that a server found in its own build when it started. */
export const STARTER = 'start';

/** Statements about the table of releases. A row is never changed in what was published. */
export function createReleasesRepository(db: Db) {
  return {
    find(unit: Unit, version: string): Promise<ReleaseRow | undefined> {
      return db
        .selectFrom('release')
        .selectAll()
        .where('unit', '=', unit)
        .where('version', '=', version)
        .executeTakeFirst();
    },

    /** All releases of a unit, or of all units, the newest first. */
    list(unit?: Unit): Promise<ReleaseRow[]> {
      return db
        .selectFrom('release')
        .selectAll()
        .$if(unit !== undefined, (query) => query.where('unit', '=', unit ?? ''))
        .orderBy('unit')
        .orderBy('publishedAt', 'desc')
        .orderBy('version', 'desc')
        .execute();
    },

    /** What each release is: its version, and the digest of its list. */
    listDigests(): Promise<Pick<ReleaseRow, 'unit' | 'version' | 'digest'>[]> {
      return db.selectFrom('release').select(['unit', 'version', 'digest']).execute();
    },

    /**
     * The last good release of each unit: of those that were the stable ones before and were not rolled back, the one
     * that was it last. The stable one of now and the canary are none.
     */
    async listLastGood(): Promise<ReadonlyMap<Unit, string>> {
      const good = await db
        .selectFrom('release')
        .leftJoin('channel', 'channel.unit', 'release.unit')
        .select(['release.unit', 'release.version'])
        .where('release.lastStableAt', 'is not', null)
        .where('release.withdrawnAt', 'is', null)
        .where((eb) => eb.or([eb('channel.stable', 'is', null), eb('channel.stable', '!=', eb.ref('release.version'))]))
        .where((eb) => eb.or([eb('channel.canary', 'is', null), eb('channel.canary', '!=', eb.ref('release.version'))]))
        .orderBy('release.lastStableAt')
        .orderBy('release.publishedAt')
        .execute();
      // The last row of a unit wins.
      return new Map(good.map(({ unit, version }) => [unit, version]));
    },

    /** In how many networks each release was served, and in how many it failed. */
    async countReports(): Promise<{ unit: Unit; version: string; kind: 'served' | 'failed'; networks: number }[]> {
      const rows = await db
        .selectFrom('loadReport')
        .select(['unit', 'version', 'kind', (eb) => eb.fn.countAll().as('networks')])
        .groupBy(['unit', 'version', 'kind'])
        .execute();
      return rows.map((row) => ({ ...row, networks: Number(row.networks) }));
    },

    async add(release: NewRelease): Promise<void> {
      await db.insertInto('release').values(release).execute();
    },

    /** Removes a release, and what was reported of it. */
    async remove(unit: Unit, version: string): Promise<void> {
      await db.deleteFrom('loadReport').where('unit', '=', unit).where('version', '=', version).execute();
      await db.deleteFrom('release').where('unit', '=', unit).where('version', '=', version).execute();
    },

    /** Notes that a release is, or has just ceased to be, the stable one. */
    async markStable(unit: Unit, version: string, at: number): Promise<void> {
      await db
        .updateTable('release')
        .set({ lastStableAt: at })
        .where('unit', '=', unit)
        .where('version', '=', version)
        .execute();
    },

    /** Notes that a pin of a browser names a release, if there is one, until a moment. */
    async markPinned(unit: Unit, version: string, until: number): Promise<void> {
      await db
        .updateTable('release')
        .set({ pinnedUntil: until })
        .where('unit', '=', unit)
        .where('version', '=', version)
        .where((eb) => eb.or([eb('pinnedUntil', 'is', null), eb('pinnedUntil', '<', until)]))
        .execute();
    },

    /** Notes that a release was rolled back, or with null that it is good again. */
    async markWithdrawn(unit: Unit, version: string, at: number | null): Promise<void> {
      await db
        .updateTable('release')
        .set({ withdrawnAt: at })
        .where('unit', '=', unit)
        .where('version', '=', version)
        .execute();
    },
  };
}
