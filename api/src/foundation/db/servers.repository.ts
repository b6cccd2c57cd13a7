import { databaseNow } from './dialect.ts';
import type { Db } from './schema.ts';

/** A server that has said nothing for so long counts as dead. */
export const DEAD_AFTER_MS = 10_000;

/** The row of a server that has said nothing for so long is removed. */
const RETENTION_MS = 24 * 60 * 60 * 1000;

/** All times are those of the database. */
export function createServersRepository(db: Db) {
  const time = databaseNow(db);
  const living = (except: string) =>
    db
      .selectFrom('server')
      .where('name', '!=', except)
      .where((eb) => eb('seenAt', '>', eb(time, '-', DEAD_AFTER_MS)))
      // A row of the future is left from a clock that was set back, or forged. It would count until the database is older.
      .where((eb) => eb('seenAt', '<=', eb(time, '+', DEAD_AFTER_MS)));

  return {
    /** Says that a server is alive, and how many sockets are open there. */
    async report(server: { name: string; sockets: number }): Promise<void> {
      const said = { ...server, seenAt: time };
      await db
        .insertInto('server')
        .values(said)
        .onConflict((conflict) => conflict.column('name').doUpdateSet(said))
        .execute();
    },

    /** How many other servers live, and how many sockets are open at all of them together. */
    async sumOthers(name: string): Promise<{ servers: number; sockets: number }> {
      const { servers, sockets } = await living(name)
        .select((eb) => [eb.fn.countAll().as('servers'), eb.fn.sum('sockets').as('sockets')])
        .executeTakeFirstOrThrow();
      return { servers: Number(servers), sockets: Number(sockets ?? 0) };
    },

    /** Removes a server that stops, and those that ended long ago. */
    async remove(name: string): Promise<void> {
      await db
        .deleteFrom('server')
        .where((eb) => eb.or([eb('name', '=', name), eb('seenAt', '<', eb(time, '-', RETENTION_MS))]))
        .execute();
    },
  };
}
