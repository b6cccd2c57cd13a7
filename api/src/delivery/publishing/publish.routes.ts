import type { PublishedAnswer } from '@app/contracts/registry';
import { PREVIEW_DAYS, unitSchema, versionSchema } from '@app/contracts/release';
import type { Unit } from '@app/contracts/unit';
import { Router } from 'express';
import * as v from 'valibot';
import { AppError } from '#api/foundation/http/app-error.ts';
import { onlyMethods } from '#api/foundation/http/only-methods.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import { deployerOf, type DeployAuth } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { publishArchive, type PublishDeps, type PublishedPreview } from './publish-release.ts';
import type { ReceiveLimits } from '#api/delivery/store/release-archive.ts';
import { isStoreFailure } from '#api/delivery/store/release-store.ts';

const MAX_CONCURRENT_UPLOADS = 2;

const PATH = '/releases/:unit/:version';

/** `?removePage=/path`, once for each page. */
const DAYS_ERROR = `must be a whole number from 1 to ${String(PREVIEW_DAYS.most)}`;

const querySchema = v.object({
  removePage: v.pipe(
    v.optional(v.union([v.string(), v.array(v.string())]), []),
    v.transform((given) => [given].flat()),
  ),
  days: v.optional(
    v.pipe(
      v.string(DAYS_ERROR),
      v.regex(/^[1-9]\d?$/, DAYS_ERROR),
      v.transform(Number),
      v.maxValue(PREVIEW_DAYS.most, DAYS_ERROR),
    ),
    String(PREVIEW_DAYS.usual),
  ),
});

const namesSchema = v.object({ unit: unitSchema, version: versionSchema });

interface Deps {
  releases: PublishDeps & { now: () => number };
  auth: Pick<DeployAuth, 'requireToken' | 'readAgain'>;
  limits?: ReceiveLimits;
  linkTo: (release: { unit: Unit; version: string }, preview: PublishedPreview) => string;
}

export function publishRoutes({ releases, auth, limits, linkTo }: Deps): Router {
  const router = Router();
  let underWay = 0;

  router.put(PATH, auth.requireToken(), async (req, res) => {
    if (underWay >= MAX_CONCURRENT_UPLOADS)
      throw new AppError('server.busy', 'Other releases are coming in; try again in a moment.');

    underWay++;
    try {
      const { removePage: removePages, days: previewDays } = parse(querySchema, req.query);
      const options = {
        by: deployerOf(res),
        expected: parse(namesSchema, req.params),
        dryRun: req.query['check'] !== undefined,
        removePages,
        previewDays,
      };
      const published = await publishArchive(releases, req, options, {
        limits,
        isStillAllowed: () => auth.readAgain(req),
      }).catch((error: unknown) => {
        throw describeStoreFailure(error);
      });
      if (published.outcome === 'refused') throw new AppError(`release.${published.why}`, undefined, published);

      const { preview, ...answer } = published;
      const link = preview && !options.dryRun && { link: linkTo(published, preview), until: preview.until };
      res
        .status(published.outcome === 'published' ? 201 : 200)
        .json({ ...answer, ...(link && { preview: link }) } satisfies PublishedAnswer);
    } finally {
      underWay--;
      // A client that is still sending reads the answer only once it has sent everything.
      req.resume();
    }
  });
  router.all(PATH, onlyMethods('PUT'));

  return router;
}

const DISK_FULL_CODES = ['ENOSPC', 'EDQUOT'];

function describeStoreFailure(error: unknown): unknown {
  if (!isStoreFailure(error)) return error;
  if (DISK_FULL_CODES.includes(error.code)) return new AppError('server.full', undefined, { cause: error });

  return new AppError(
    'release.store',
    `The folder of releases cannot be used (${error.code}). Ask the operator of the site to check that RELEASES_DIR exists and is writable.`,
    { cause: error },
  );
}
