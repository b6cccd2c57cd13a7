import type { Server } from 'node:http';
import type { Connections } from './http/http-server.ts';

const DEFAULT_CAP_MS = 10_000;
/** What is still to be written has at least this long, whatever the answers took: one try at a database that is busy. */
const LEAST_WRITING_MS = 3000;
const SWEEP_MS = 50;
/** What a database that does not answer may cost at the end. */
const CLOSE_MS = 5000;

interface Stopping {
  server: Server;
  connections: Connections;
  /** Are told at once: what keeps connections open by itself, such as WebSockets, and whoever has to hurry. */
  closers: readonly (() => void)[];
  /** Writes what no answer has waited for, in no more than so many milliseconds. */
  finishWrites: (ms: number) => Promise<void>;
  /** Closed last, when nobody can ask any more. */
  closeDb: () => Promise<void>;
  capMs?: number;
}

/** Takes no new visitors, lets requests and what they have put off finish as long as the cap allows, then closes everything. */
export async function stopGracefully({
  server,
  connections,
  closers,
  finishWrites,
  closeDb,
  capMs = DEFAULT_CAP_MS,
}: Stopping): Promise<void> {
  const begunAt = performance.now();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const close of closers) close();

  // A kept-alive connection is idle, and may go, only once its last answer is out.
  const sweep = setInterval(() => connections.closeIdle(), SWEEP_MS);
  const cap = setTimeout(() => server.closeAllConnections(), capMs);
  await closed;
  clearTimeout(cap);
  await finishWrites(Math.max(capMs - (performance.now() - begunAt), LEAST_WRITING_MS));

  // A database without an answer keeps nobody: whatever was not acknowledged may be lost.
  await within(CLOSE_MS, closeDb());
  // Until here: what closes the database need not keep a process alive, which would then end in the middle of it.
  clearInterval(sweep);
}

/** Waits for something, but no longer than this many milliseconds. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
