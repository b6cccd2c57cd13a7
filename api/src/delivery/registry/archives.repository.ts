import type { Unit } from '@app/contracts/release';
import type { Db, ReleaseRow } from '#api/foundation/db/schema.ts';

/** So many bytes of an archive are a row, and are in memory while they are read. */
const PIECE_BYTES = 256 * 1024;

/** Statements about the archives of releases. They go with their release. */
export function createArchivesRepository(db: Db) {
  return {
    /** Stores the archive of a release. One that is there stays. To be called within a transaction. */
    async add(unit: Unit, version: string, archive: Buffer): Promise<void> {
      for (let from = 0; from < archive.length; from += PIECE_BYTES) {
        const content = archive.subarray(from, from + PIECE_BYTES);
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('releasePiece')
          .values({ unit, version, position: from / PIECE_BYTES, content })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows !== 1n) return;
      }
    },

    async remove(unit: Unit, version: string): Promise<void> {
      await db.deleteFrom('releasePiece').where('unit', '=', unit).where('version', '=', version).execute();
    },

    /** Reads the archive of a release, piece by piece; nothing where there is none. */
    async *read(unit: Unit, version: string): AsyncGenerator<Buffer> {
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

    /** The releases that have no archive: servers of the previous release have published them. */
    listMissing(): Promise<Pick<ReleaseRow, 'unit' | 'version' | 'digest'>[]> {
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
