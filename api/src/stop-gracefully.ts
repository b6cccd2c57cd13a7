import type { Server } from 'node:http';
import type { Connections } from './http/http-server.ts';

const DEFAULT_CAP_MS = 10_000;
/**
 * How long writes that were put off have at least, in milliseconds, however long the requests took: enough for one try
 * at a busy database.
 */
const LEAST_WRITING_MS = 3000;
const SWEEP_MS = 50;
/** How long closing the database may take, in milliseconds. */
const CLOSE_MS = 5000;

interface Stopping {
  server: Server;
  connections: Connections;
  /** Called first: they close what keeps connections open, such as WebSockets, and tell others to hurry. */
  closers: readonly (() => void)[];
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
}

/**
 * Stops the server after a delay: takes no new connections, waits for open requests and late writes for at most `capMs` milliseconds,
 * then closes everything.
 */
export async function stopGracefully({
  server,
  connections,
  closers,
  finishWrites,
  closeDb,
  capMs = DEFAULT_CAP_MS,
  delayMs = 0,
}: Stopping): Promise<void> {
  // Who keeps a connection opens the next one elsewhere.
  server.prependListener('request', (_req, res) => res.setHeader('connection', 'close'));
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));

  const begunAt = performance.now();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const close of closers) close();

  // A kept-alive connection may be closed once its last response is sent.
  const sweep = setInterval(() => connections.closeIdle(), SWEEP_MS);
  const cap = setTimeout(() => server.closeAllConnections(), capMs);
  await closed;
  clearTimeout(cap);
  await finishWrites(Math.max(capMs - (performance.now() - begunAt), LEAST_WRITING_MS));

  // A database that does not answer must not delay the stop: what was not acknowledged may be lost.
  await within(CLOSE_MS, closeDb());
  // The interval runs until here: closing the database may not keep the process alive, which would end in the middle of
  // it.
  clearInterval(sweep);
}

/** Waits for a promise, but no longer than `ms` milliseconds. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
