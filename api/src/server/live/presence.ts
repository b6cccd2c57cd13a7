import type { Db } from '#api/foundation/db/schema.ts';
import { createServersRepository } from '#api/foundation/db/servers.repository.ts';

/** A server that has nothing new to say does so this often, in milliseconds: several times before it counts as dead. */
const HEARTBEAT_INTERVAL_MS = 2000;

/** What this server tells the others on its database, and learns of them. */
/**
 * What this server tells the others on its database, and learns of them.
 * @param name no other server on this database has it
 * @param elapsedMs a clock that never goes back
 */
export function createPresence({
  db,
  name,
  elapsedMs = () => performance.now(),
}: {
  db: Db;
  name: string;
  elapsedMs?: () => number;
}) {
  const servers = createServersRepository(db);
  let said: { sockets: number; atMs: number } | undefined;

  return {
    /**
     * Tells how many sockets are open here, where that has changed or it is time to say so again.
     * @returns how many are open at all other servers together
     * @throws when the database does not answer
     */
    async exchange(sockets: number): Promise<number> {
      const atMs = elapsedMs();
      if (!said || said.sockets !== sockets || atMs - said.atMs >= HEARTBEAT_INTERVAL_MS) {
        await servers.report({ name, sockets });
        said = { sockets, atMs };
      }
      return (await servers.sumOthers(name)).sockets;
    },

    /** Says that this server stops: its sockets no longer count. */
    leave: () => servers.remove(name),
  };
}
