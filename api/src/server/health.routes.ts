import { Router } from 'express';
import { requireWritable } from '#api/foundation/db/dialect.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { onlyRead } from '#api/foundation/http/only-methods.ts';
import type { Site } from '#api/foundation/module.ts';

/** Below this many free bytes the server is not ready. */
const MIN_FREE_BYTES = 100 * 1024 * 1024;

export interface Health {
  /** How often an address may ask in a minute. */
  readinessPerMinute: number;
  /** Finds how many bytes can still be written to the disk of the data folder. */
  freeBytes: () => Promise<number>;
  /** The units of which this server can serve nothing, though they have a stable release. */
  unserved: () => readonly string[];
  /** A sentence when the clock of this server is wrong. */
  clockProblem: () => string | undefined;
}

/** The routes for monitoring: whether the process is alive, and whether it should get visitors. */
export function healthRoutes(
  { db, stopping }: Pick<Site, 'db' | 'stopping'>,
  { freeBytes, unserved, clockProblem }: Health,
): Router {
  const router = Router();

  router.get('/healthz', (_req, res) => {
    res.set('cache-control', 'no-store').type('text/plain').send('ok');
  });

  router.get('/readyz', async (_req, res) => {
    res.set('cache-control', 'no-store');
    if (stopping.aborted) throw new AppError('server.stopping');
    if ((await freeBytes()) < MIN_FREE_BYTES) throw new AppError('server.full');

    if (unserved().length > 0)
      throw new AppError('server.incomplete', `No release of ${unserved().join(', ')} is here.`);
    const problem = clockProblem();
    if (problem !== undefined) throw new AppError('server.busy', problem);
    await requireWritable(db);
    res.type('text/plain').send('ok');
  });

  router.all(['/healthz', '/readyz'], onlyRead);

  return router;
}
