import type { PublishedAnswer } from '@app/contracts/registry';
import { unitSchema, versionSchema } from '@app/contracts/release';
import { Router, type Request, type RequestHandler } from 'express';
import * as v from 'valibot';
import { AppError } from '#api/http/app-error.ts';
import { onlyMethods } from '#api/http/only-methods.ts';
import { parse } from '#api/http/parse.ts';
import { deployerOf } from './deploy-auth.ts';
import { publishRelease, type Published } from './publish-release.ts';
import { receiveRelease, type ReceiveLimits } from './receive-release.ts';
import { Refusal } from './refusal.ts';
import type { Releases } from './releases.ts';

/** How many releases one process takes in at the same time. */
const AT_ONCE = 2;

const PATH = '/releases/:unit/:version';

const namesSchema = v.object({ unit: unitSchema, version: versionSchema });

interface Deps {
  releases: Pick<Releases, 'db' | 'store' | 'prerendering' | 'now'>;
  /** Lets a request through that has a token of the unit in its path, and names the deployer in `res.locals`. */
  requireToken: RequestHandler;
  limits?: ReceiveLimits;
}

/** The call by which teams publish: a tar.gz of `release.json` and the files that it lists. */
export function publishRoutes({ releases, requireToken, limits }: Deps): Router {
  const router = Router();
  let underWay = 0;

  async function publish(req: Request, by: string): Promise<Published> {
    const expected = parse(namesSchema, req.params);
    const staged = await releases.store.stage();
    try {
      await receiveRelease(req, staged, limits);
    } catch (error) {
      await releases.store.discard(staged);
      if (error instanceof Refusal) return { outcome: 'refused', problems: [...error.problems] };
      throw error;
    }
    const isRehearsal = req.query['check'] !== undefined;
    return publishRelease(releases, staged, { by, at: releases.now(), expected, isRehearsal });
  }

  router.put(PATH, requireToken, async (req, res) => {
    if (underWay >= AT_ONCE) throw new AppError('server.busy', 'Other releases are coming in; try again in a moment.');

    underWay++;
    try {
      const answer = present(await publish(req, deployerOf(res)).catch(explain));
      res.status(answer.outcome === 'published' ? 201 : 200).json(answer);
    } finally {
      underWay--;
      // The sender may still be sending, and reads the answer when it has sent everything.
      req.resume();
    }
  });
  router.all(PATH, onlyMethods('PUT'));

  return router;
}

/** @throws AppError when the release was refused */
function present(published: Published): PublishedAnswer {
  if ('problems' in published)
    throw new AppError(published.outcome === 'exists' ? 'release.exists' : 'release.refused', undefined, published);

  return { ...published, problems: [] };
}

/** A full disk is no failure of ours, wherever it shows. */
function explain(error: unknown): never {
  const isFull = error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));
  throw isFull ? new AppError('server.full', undefined, { cause: error }) : error;
}
