import type { Logger } from 'pino';
import type { Db } from '#api/foundation/db/schema.ts';
import { createPresence } from '#api/server/presence.ts';
import { createOutageLog, repeat } from '#api/foundation/jobs/background-job.ts';
import type { LiveHub } from '#api/server/live/live-hub.ts';

/** How often servers on one database tell each other how many pages are open. */
const PAUSE_MS = 100;

interface Opening {
  db: Db;
  log: Logger;
  /** The name of this server. */
  name: string;
  live: Pick<LiveHub, 'count' | 'countElsewhere'>;
}

/**
 * Makes this server and the others on its database count their visitors together. While the database is away, the count
 * of the others stays what it was.
 * @returns what ends that; the others no longer count this server then
 */
export function openPresence({ db, log, name, live }: Opening): { stop: () => Promise<void> } {
  const presence = createPresence({ db, name });
  const attempt = createOutageLog(log, {
    away: 'the other servers cannot be heard; the online count is what it was there',
    back: 'the other servers can be heard again',
  });
  const meeting = repeat(
    () => attempt(async () => live.countElsewhere(await presence.exchange(live.count()))),
    PAUSE_MS,
  );

  return {
    async stop() {
      await meeting.stop();
      await attempt(presence.leave);
    },
  };
}
