import type { Server } from 'node:http';
import { createOutageLog, startPeriodic } from '#api/foundation/jobs/periodic-job.ts';
import { withTimeout } from '#api/foundation/jobs/with-timeout.ts';
import type { Module, Site } from '#api/foundation/module.ts';
import type { Env } from '#api/foundation/settings/env.ts';
import { clientAddress } from '#api/foundation/visitors/client-identity.ts';
import { openLiveHub } from './live-hub.ts';
import { createPresence } from './presence.ts';

/** How often servers on one database tell each other how many pages are open. */
const INTERVAL_MS = 100;

/** How long a server that stops tries to say so to the others, which notice it later as well; milliseconds. */
const LEAVE_TIMEOUT_MS = 1000;

/**
 * Counts the pages that are open, and tells them: one count for all servers on a database. While the database is away,
 * the count of the others stays what it was.
 */
export function openLive({ db, log, instance, trustedHops }: Site, server: Server, env: Env): Module {
  const hub = openLiveHub({
    server,
    isOurOrigin: (origin, req) => isOurOrigin(origin, env.BASE_URL, req.headers.host),
    clientAddressOf: (req) => clientAddress(req, trustedHops),
    maxSockets: env.LIVE_MAX_SOCKETS,
    maxSocketsPerNetwork: env.LIVE_MAX_SOCKETS_PER_NETWORK,
  });
  const module = { routes: {}, jobs: [], drain: () => hub.close() };
  // SQLite has one server.
  if (env.DATABASE_URL === undefined) return module;

  const presence = createPresence({ db, name: instance });
  const attempt = createOutageLog(log, {
    away: 'the other servers cannot be heard; the online count is what it was there',
    back: 'the other servers can be heard again',
  });
  // Not among the jobs: those end as soon as the server stops, while its pages stay open and still count.
  const exchanging = startPeriodic(
    () => attempt(async () => hub.countElsewhere(await presence.exchange(hub.count()))),
    INTERVAL_MS,
  );
  return {
    ...module,
    // The others no longer count this server then.
    async [Symbol.asyncDispose]() {
      await exchanging[Symbol.asyncDispose]();
      await withTimeout(LEAVE_TIMEOUT_MS, attempt(presence.leave), undefined);
    },
  };
}

/** Whether an `Origin` header names this site: as an operator has set it, else by the `Host` header. */
export function isOurOrigin(origin: string, baseUrl: string | undefined, host: string | undefined): boolean {
  if (baseUrl !== undefined) return origin === baseUrl;

  return URL.canParse(origin) && new URL(origin).host === host;
}
