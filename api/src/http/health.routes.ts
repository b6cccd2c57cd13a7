import { Router } from 'express';
import { sql, type Kysely } from 'kysely';
import type { Database } from '#api/db/schema.ts';
import { AppError } from './app-error.ts';
import { onlyRead } from './only-methods.ts';

/** For whoever watches over the process: is it alive, and should it get visitors. */
export function healthRoutes({ db, isStopping }: { db: Kysely<Database>; isStopping: () => boolean }): Router {
  const router = Router();

  router.get('/healthz', (_req, res) => {
    res.set('cache-control', 'no-store').type('text/plain').send('ok');
  });

  router.get('/readyz', async (_req, res) => {
    res.set('cache-control', 'no-store');
    if (isStopping()) throw new AppError('server.stopping');

    await sql`select 1`.execute(db);
    res.type('text/plain').send('ok');
  });

  router.all(['/healthz', '/readyz'], onlyRead);

  return router;
}
