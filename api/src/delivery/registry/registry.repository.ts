import { isPreview } from '@app/contracts/release';
import { SHELL, type Unit } from '@app/contracts/unit';
import { sql } from 'kysely';
import { isSqlite } from '#api/foundation/db/dialect.ts';
import type { ChannelRow, Db, NewRelease, ReleaseRow } from '#api/foundation/db/schema.ts';

/** How long a change waits for a lock, in milliseconds. A change takes a few of them. */
const LOCK_TIMEOUT_MS = 2000;

export interface UnitChannels {
  unit: Unit;
  paths: string[];
  channel: ChannelRow;
}

export function createChannelsRepository(db: Db) {
  return {
    async revision(): Promise<number> {
      const { revision } = await db.selectFrom('registryState').select('revision').executeTakeFirstOrThrow();
      return Number(revision);
    },

    /** Every change begins with it: until it has committed, all others wait here, for two seconds at most. */
    async begin(): Promise<void> {
      // SQLite has one lock for the whole database, with a timeout of its own.
      if (!isSqlite(db)) await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(db);
      await db
        .updateTable('registryState')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .execute();
    },

    /** All units, the shell first, then by name. */
    async list(): Promise<UnitChannels[]> {
      const rows = await db
        .selectFrom('unit')
        .leftJoin('channel', 'channel.unit', 'unit.name')
        .selectAll('channel')
        .select(['unit.name', 'unit.paths'])
        .orderBy('unit.name')
        .execute();
      return rows
        .map(({ name, paths, ...channel }) => ({
          unit: name,
          paths: JSON.parse(paths) as string[],
          channel: { ...channel, unit: name },
        }))
        .sort((a, b) => Number(b.unit === SHELL) - Number(a.unit === SHELL));
    },

    async find(unit: Unit): Promise<UnitChannels | undefined> {
      return (await this.list()).find((known) => known.unit === unit);
    },

    async save(unit: Unit, changes: Partial<Omit<ChannelRow, 'unit'>>): Promise<void> {
      await db
        .insertInto('channel')
        .values({ unit, ...changes })
        .onConflict((conflict) => conflict.column('unit').doUpdateSet({ unit, ...changes }))
        .execute();
    },

    async addUnit(unit: Unit, paths: readonly string[], at: number): Promise<void> {
      await db
        .insertInto('unit')
        .values({ name: unit, paths: JSON.stringify(paths), createdAt: at })
        .execute();
    },

    async remove(unit: Unit): Promise<void> {
      await db.deleteFrom('channel').where('unit', '=', unit).execute();
    },

    /** Removes a unit to which no other table refers. */
    async removeUnit(unit: Unit): Promise<void> {
      await db.deleteFrom('unit').where('name', '=', unit).execute();
    },
  };
}

/** The publisher of releases that a server found in its own build when it started. */
export const START_ACTOR = 'start';

/** How many bytes of an archive a row has, which are in memory while they are read. */
const CHUNK_BYTES = 256 * 1024;

/** Statements about releases and their archives. What was published of a release never changes. */
export function createReleasesRepository(db: Db) {
  const updateOne = (unit: Unit, version: string) =>
    db.updateTable('release').where('unit', '=', unit).where('version', '=', version);
  const selectAll = (unit: Unit | undefined) =>
    db
      .selectFrom('release')
      .selectAll()
      .$if(unit !== undefined, (query) => query.where('unit', '=', unit ?? ''))
      .orderBy('unit')
      .orderBy('publishedAt', 'desc')
      .orderBy('version', 'desc');

  return {
    find: (unit: Unit, version: string): Promise<ReleaseRow | undefined> =>
      selectAll(unit).where('version', '=', version).executeTakeFirst(),

    /** All releases of a unit, or of all units, the newest first. */
    list: (unit?: Unit): Promise<ReleaseRow[]> => selectAll(unit).execute(),

    listDigests(): Promise<Pick<ReleaseRow, 'unit' | 'version' | 'digest'>[]> {
      return db.selectFrom('release').select(['unit', 'version', 'digest']).execute();
    },

    /** What was stable most recently and not rolled back, besides the current stable release and the canary. */
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

    /** The releases of a unit that were stable and not rolled back, the one that was so most recently first. */
    async listGood(unit: Unit): Promise<string[]> {
      const rows = await db
        .selectFrom('release')
        .select('version')
        .where('unit', '=', unit)
        .where('lastStableAt', 'is not', null)
        .where('withdrawnAt', 'is', null)
        .orderBy('lastStableAt', 'desc')
        .orderBy('publishedAt', 'desc')
        .execute();
      return rows.map(({ version }) => version);
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

    /** Removes a release and its load reports. */
    async remove(unit: Unit, version: string): Promise<void> {
      await db.deleteFrom('loadReport').where('unit', '=', unit).where('version', '=', version).execute();
      await db.deleteFrom('release').where('unit', '=', unit).where('version', '=', version).execute();
    },

    async markStable(unit: Unit, version: string, at: number): Promise<void> {
      await updateOne(unit, version).set({ lastStableAt: at }).execute();
    },

    /** Notes that a pin of a browser names a release until a moment; does nothing when there is no such release. */
    async markPinned(unit: Unit, version: string, until: number): Promise<void> {
      await updateOne(unit, version)
        .set({ pinnedUntil: until })
        .where((eb) => eb.or([eb('pinnedUntil', 'is', null), eb('pinnedUntil', '<', until)]))
        .execute();
    },

    /** The previews that were never served to visitors, of a unit or of all units, the newest first. */
    async listPreviews(unit?: Unit): Promise<ReleaseRow[]> {
      const rows = await selectAll(unit)
        .where('version', 'like', '%-preview.%')
        .where('lastStableAt', 'is', null)
        .where('pinnedUntil', 'is not', null)
        .execute();
      return rows.filter(({ version }) => isPreview(version));
    },

    /** Notes that a release was rolled back, or with `null` that it is good again. */
    async markYanked(unit: Unit, version: string, at: number | null): Promise<void> {
      await updateOne(unit, version).set({ withdrawnAt: at }).execute();
    },

    /** Stores the archive of a release, unless there is one. To be called within a transaction. */
    async addArchive(unit: Unit, version: string, archive: Buffer): Promise<void> {
      for (let from = 0; from < archive.length; from += CHUNK_BYTES) {
        const content = archive.subarray(from, from + CHUNK_BYTES);
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('releasePiece')
          .values({ unit, version, position: from / CHUNK_BYTES, content })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows !== 1n) return;
      }
    },

    async removeArchive(unit: Unit, version: string): Promise<void> {
      await db.deleteFrom('releasePiece').where('unit', '=', unit).where('version', '=', version).execute();
    },

    async *readArchive(unit: Unit, version: string): AsyncGenerator<Buffer> {
      for (let position = 0; ; position++) {
        const piece = await db
          .selectFrom('releasePiece')
          .select('content')
          .where('unit', '=', unit)
          .where('version', '=', version)
          .where('position', '=', position)
          .executeTakeFirst();
        if (!piece) return;
        yield Buffer.from(piece.content);
      }
    },

    /** The releases that have no archive, because servers of an earlier version have published them. */
    listWithoutArchive(): Promise<Pick<ReleaseRow, 'unit' | 'version' | 'digest'>[]> {
      return db
        .selectFrom('release')
        .leftJoin('releasePiece', (join) =>
          join
            .onRef('releasePiece.unit', '=', 'release.unit')
            .onRef('releasePiece.version', '=', 'release.version')
            .on('releasePiece.position', '=', 0),
        )
        .where('releasePiece.unit', 'is', null)
        .select(['release.unit', 'release.version', 'release.digest'])
        .execute();
    },
  };
}
