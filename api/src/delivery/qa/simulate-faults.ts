import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Router, type Request, type Response } from 'express';
import { AppError } from '#api/foundation/http/app-error.ts';
import { singleString } from '#api/foundation/http/request-input.ts';
import { createFindFile, readAddress } from '#api/delivery/serving/releases.routes.ts';
import type { PinSession } from '#api/delivery/serving/release-selection.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';

/** How long a file may hang. Pages give up before: after `CHUNK_TIMEOUT_MS`, usually 120 seconds. */
const LONGEST_HANG_MS = 150_000;

/** How many files may hang at once: for one browser, which has six connections, and in total. */
const MOST_HANGING = 4;
const MOST_HANGING_OF_ALL = 40;

interface Deps {
  readPins: (req: Request) => PinSession | undefined;
  registry: Pick<Registry, 'find' | 'snapshot'>;
  folder: string;
}

/** Answers files with the fault that QA simulates in this browser. The address alone has no effect on any other. */
export function simulateFaults({ readPins, registry, folder }: Deps): Router {
  const router = Router();
  const findFile = createFindFile(folder, registry);
  const hanging = new Map<string, number>();

  function hang(session: PinSession, res: Response): void {
    const who = JSON.stringify(session);
    const ofThis = hanging.get(who) ?? 0;
    const ofAll = [...hanging.values()].reduce((sum, count) => sum + count, 0);
    if (ofThis >= MOST_HANGING || ofAll >= MOST_HANGING_OF_ALL) return void refuse(res);

    hanging.set(who, ofThis + 1);
    const timer = setTimeout(() => refuse(res), LONGEST_HANG_MS);
    res.on('close', () => {
      clearTimeout(timer);
      const left = (hanging.get(who) ?? 1) - 1;
      if (left > 0) hanging.set(who, left);
      else hanging.delete(who);
    });
  }

  // Not as a GET route: then this router would answer OPTIONS.
  router.use('/releases', async (req, res, next) => {
    const fault = singleString(req.query['fault']);
    const address = readAddress(req.path);
    const session = fault === undefined || req.method !== 'GET' ? undefined : readPins(req);
    if (!address || !session || session.faults[address[0]] !== fault) return next();

    res.set('cache-control', 'no-store');
    if (fault === 'offline') return void refuse(res);
    if (fault === 'slow') return hang(session, res);
    if (fault !== 'corrupt') return next();

    const [unit, , name] = address;
    for await (const { version } of findFile(...address)) {
      const bytes = await readFile(join(folder, unit, version, name)).catch(() => undefined);
      if (!bytes) continue;
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      return void res.type(extname(name)).send(bytes);
    }
    throw new AppError('route.not_found');
  });

  return router;
}

/** A closed connection would make a proxy believe that this server is gone, for all visitors. */
function refuse(res: Response): void {
  res.status(503).end();
}
