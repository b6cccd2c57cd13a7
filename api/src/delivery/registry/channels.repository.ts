import { SHELL, type Unit } from '@app/contracts/release';
import { sql } from 'kysely';
import { isSqlite } from '#api/foundation/db/dialect.ts';
import type { ChannelRow, Db } from '#api/foundation/db/schema.ts';

/** How long a move waits for a lock; milliseconds. Moves take a few of them each. */
const LOCK_MS = 2000;

/** A unit, the paths that it may claim, and its channels. */
export interface UnitChannels {
  unit: Unit;
  paths: string[];
  channel: ChannelRow;
}

const EMPTY: Omit<ChannelRow, 'unit'> = {
  stable: null,
  canary: null,
  canaryShare: null,
  canarySince: null,
  halted: null,
  haltReason: null,
  haltedAt: null,
  lockReason: null,
  lockedBy: null,
  lockedAt: null,
  movedBy: null,
  movedAt: null,
};

/** Statements about units, their channels, and the number of the registry's state. */
export function createChannelsRepository(db: Db) {
  return {
    /** The number of the newest change of what is served. */
    async revision(): Promise<number> {
      const { revision } = await db.selectFrom('registryState').select('revision').executeTakeFirstOrThrow();
      return Number(revision);
    },

    /**
     * Raises the number of the registry's state. Every move begins with it: until a move has committed, all others wait
     * here. In its transaction, no lock is waited for longer than two seconds.
     */
    async begin(): Promise<void> {
      // SQLite has one lock for everything, and who waits for it waits no longer either.
      if (!isSqlite(db)) await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(db);
      await db
        .updateTable('registryState')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .execute();
    },

    /** All units, the shell first, then by name. */
    async list(): Promise<UnitChannels[]> {
      const [units, channels] = [
        await db.selectFrom('unit').selectAll().orderBy('name').execute(),
        await db.selectFrom('channel').selectAll().execute(),
      ];
      const byUnit = new Map(channels.map((channel) => [channel.unit, channel]));
      return units
        .map(({ name, paths }) => ({
          unit: name,
          paths: JSON.parse(paths) as string[],
          channel: byUnit.get(name) ?? { ...EMPTY, unit: name },
        }))
        .sort((a, b) => Number(b.unit === SHELL) - Number(a.unit === SHELL));
    },

    async find(unit: Unit): Promise<UnitChannels | undefined> {
      return (await this.list()).find((known) => known.unit === unit);
    },

    /** Changes what is said of a unit's channels. */
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

    /** Removes the channels of a unit. */
    async remove(unit: Unit): Promise<void> {
      await db.deleteFrom('channel').where('unit', '=', unit).execute();
    },

    /** Removes a unit of which no other table has a row any more. */
    async removeUnit(unit: Unit): Promise<void> {
      await db.deleteFrom('unit').where('name', '=', unit).execute();
    },
  };
}
