import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { withTimeout } from '#api/foundation/jobs/with-timeout.ts';
import type { Connections } from './http-server.ts';

/** The `idleMs` behind a proxy. `deploy/nginx` keeps its connections for a second. */
export const PROXY_IDLE_TIMEOUT_MS = 1500;

const DEFAULT_STOP_TIMEOUT_MS = 10_000;
/** How long a request that was begun may take to arrive, in milliseconds. One that has arrived has until the cap. */
const ARRIVAL_TIMEOUT_MS = 1000;
/**
 * How long writes that were put off have at least, in milliseconds, however long the requests took: enough for one try
 * at a busy database.
 */
const MIN_WRITE_TIMEOUT_MS = 3000;
const SWEEP_INTERVAL_MS = 50;
/**
 * A turn of the event loop that is shorter has hardly left time for a new connection since the last ones were accepted;
 * milliseconds.
 */
const SHORT_TURN_MS = 1;
/** How long to wait for such a turn; milliseconds. */
const SHORT_TURN_TIMEOUT_MS = 1000;
/** How long closing the database may take, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5000;

interface ShutdownOptions {
  server: Server;
  moreListeners?: readonly NetServer[];
  connections: Connections;
  /** Called once no new connections are taken: closes what keeps connections open, such as WebSockets. */
  drain: () => void;
  /** Makes the writes that no answer waits for, in at most so many milliseconds. */
  finishWrites: (ms: number) => Promise<void>;
  /** Closes the database; called last, when there are no requests any more. */
  closeDb: () => Promise<void>;
  capMs?: number;
  /**
   * How long the server goes on as before, in milliseconds: `/readyz` says already that it stops, and load balancers send
   * visitors elsewhere.
   */
  delayMs?: number;
  /**
   * How long a connection without a request stays open, in milliseconds: longer than a proxy keeps one. A proxy that has
   * just sent a request on it would get no answer, and may not repeat a POST.
   */
  idleMs?: number;
}

/**
 * Stops the server after a delay: takes no new connections, cuts requests that have not arrived after a second, waits for
 * the others and for late writes for at most `capMs` milliseconds, then closes everything.
 */
export async function stopGracefully({
  server,
  moreListeners = [],
  connections,
  drain,
  finishWrites,
  closeDb,
  capMs = DEFAULT_STOP_TIMEOUT_MS,
  delayMs = 0,
  idleMs = 0,
}: ShutdownOptions): Promise<void> {
  if (delayMs > 0) {
    closeKeepAlive(server);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
  }

  await waitUntilIdle(server);
  const begunAt = performance.now();
  const closed = Promise.all([server, ...moreListeners].map(closeListener));
  // Not before: a proxy would open new connections here while they may still be lost.
  closeKeepAlive(server);
  drain();

  // A kept-alive connection may be closed once its last response is sent.
  const sweep = setInterval(() => {
    if (performance.now() - begunAt >= idleMs) connections.closeIdle();
  }, SWEEP_INTERVAL_MS);
  const arrival = setTimeout(() => connections.closeHalfSent(), ARRIVAL_TIMEOUT_MS);
  const cap = setTimeout(() => server.closeAllConnections(), capMs);
  await closed;
  clearTimeout(arrival);
  clearTimeout(cap);
  await finishWrites(Math.max(capMs - (performance.now() - begunAt), MIN_WRITE_TIMEOUT_MS));

  // A database that does not answer must not delay the stop: what was not acknowledged may be lost.
  await withTimeout(CLOSE_TIMEOUT_MS, closeDb(), undefined);
  // The interval runs until here: closing the database may not keep the process alive, which would end in the middle of
  // it.
  clearInterval(sweep);
}

/** Asks clients that keep a connection to open the next one elsewhere. */
function closeKeepAlive(server: Server): void {
  server.prependListener('request', (_req, res) => res.setHeader('connection', 'close'));
}

/**
 * Waits for a turn of the event loop that takes no new connection and has next to no work. Connections that come during
 * its work, or that no turn had room for, are lost when the listener closes, with the requests on them.
 */
async function waitUntilIdle(server: Server): Promise<void> {
  const until = performance.now() + SHORT_TURN_TIMEOUT_MS;
  let taken = 0;
  const count = () => void taken++;
  server.on('connection', count);
  let before = -Infinity;
  let now = await nextTurn();
  while ((taken > 0 || now - before > SHORT_TURN_MS) && now < until) {
    taken = 0;
    [before, now] = [now, await nextTurn()];
  }
  server.off('connection', count);
}

/** Resolves in the next turn of the event loop, just after its work, with the time; milliseconds. */
function nextTurn(): Promise<number> {
  return new Promise((resolve) => setImmediate(() => resolve(performance.now())));
}

/**
 * Takes no new connections; resolves when there are none any more. A refused client has sent nothing, so a proxy asks
 * another server. `close` of an HTTP server would also end connections without a request.
 */
function closeListener(server: NetServer): Promise<void> {
  return new Promise((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
}
