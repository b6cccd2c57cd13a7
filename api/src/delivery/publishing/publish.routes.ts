import { unitSchema, versionSchema } from '@app/contracts/release';
import { Router, type Request, type RequestHandler } from 'express';
import * as v from 'valibot';
import { AppError } from '#api/foundation/http/app-error.ts';
import { onlyMethods } from '#api/foundation/http/only-methods.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import { deployerOf } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { publishArchive } from './publish-release.ts';
import type { ReceiveLimits } from '#api/delivery/store/release-archive.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import { describeStoreFailure } from '#api/delivery/store/store-failure.ts';

/** How many releases one process takes in at the same time. */
const AT_ONCE = 2;

const PATH = '/releases/:unit/:version';

/** Pages are named with `?removePage=/path`, once for each. */
const pagesSchema = v.pipe(
  v.optional(v.union([v.string(), v.array(v.string())]), []),
  v.transform((given) => [given].flat()),
);

const namesSchema = v.object({ unit: unitSchema, version: versionSchema });

interface Deps {
  releases: Pick<Releases, 'db' | 'store' | 'prerendering' | 'now'>;
  /** Lets a request through that has a token of the unit in its path, and names the deployer in `res.locals`. */
  requireToken: RequestHandler;
  /** Throws when that token has been revoked since. */
  readAgain: (req: Request) => Promise<void>;
  limits?: ReceiveLimits;
}

/** The call by which teams publish: a tar.gz of `release.json` and the files that it lists. */
export function publishRoutes({ releases, requireToken, readAgain, limits }: Deps): Router {
  const router = Router();
  let underWay = 0;

  router.put(PATH, requireToken, async (req, res) => {
    if (underWay >= AT_ONCE) throw new AppError('server.busy', 'Other releases are coming in; try again in a moment.');

    underWay++;
    try {
      const options = {
        by: deployerOf(res),
        expected: parse(namesSchema, req.params),
        isRehearsal: req.query['check'] !== undefined,
        removePages: parse(pagesSchema, req.query['removePage']),
      };
      const published = await publishArchive(releases, req, options, {
        limits,
        isStillAllowed: () => readAgain(req),
      }).catch(explain);
      if (published.outcome === 'refused') throw new AppError(`release.${published.why}`, undefined, published);

      res.status(published.outcome === 'published' ? 201 : 200).json(published);
    } finally {
      underWay--;
      // The sender may still be sending, and reads the answer when it has sent everything.
      req.resume();
    }
  });
  router.all(PATH, onlyMethods('PUT'));

  return router;
}

/** A full disk is no failure of ours, wherever it shows. */
function explain(error: unknown): never {
  throw describeStoreFailure(error);
}
