import { SHELL, type Unit } from '@app/contracts/release';
import { sql } from 'kysely';
import { isSqlite } from '#api/foundation/db/dialect.ts';
import type { ChannelRow, Db } from '#api/foundation/db/schema.ts';

/** How long a change waits for a lock, in milliseconds. A change takes a few of them. */
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
     * Raises the number of the registry's state. Every change begins with it: until a change has committed, all others
     * wait here. Its transaction waits for no lock longer than two seconds.
     */
    async begin(): Promise<void> {
      // SQLite has one lock for the whole database, with a timeout of its own.
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

    /** Changes the row of a unit's channels. */
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

    /** Removes a unit to which no other table refers. */
    async removeUnit(unit: Unit): Promise<void> {
      await db.deleteFrom('unit').where('name', '=', unit).execute();
    },
  };
}
