import { channelMoveSchema } from '@app/contracts/channel-move';
import type { RegistryListing } from '@app/contracts/registry';
import { unitSchema } from '@app/contracts/release';
import { Router, type Request } from 'express';
import { AppError } from '#api/foundation/http/app-error.ts';
import { jsonBody, parse } from '#api/foundation/http/request-input.ts';
import { onlyMethods, onlyRead } from '#api/foundation/http/only-methods.ts';
import { type DeployAuth, deployerOf } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { listRegistry } from '#api/delivery/registry/list-registry.ts';
import { changeChannel } from './channel-changes.ts';
import type { ReleaseHealth } from '#api/delivery/store/release-health.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';

interface ChannelsRoutesDeps {
  releases: Pick<Releases, 'db' | 'registry' | 'prerendering' | 'now'> & {
    health?: Pick<ReleaseHealth, 'findDamage'> | undefined;
  };
  auth: DeployAuth;
  /** Whether a request comes from a browser with QA access. */
  isQa: (req: Request) => boolean;
}

/** The routes by which teams move the channels of their units, and see how all of them stand. */
export function channelsRoutes({ releases, auth, isQa }: ChannelsRoutesDeps): Router {
  const router = Router();

  router.patch('/channels/:unit', auth.requireToken(), jsonBody, async (req, res) => {
    const unit = parse(unitSchema, req.params.unit);
    const move = parse(channelMoveSchema, req.body);
    const moved = await changeChannel(releases, unit, move, { by: deployerOf(res), at: releases.now() });
    if (moved.outcome === 'refused') throw new AppError(`release.${moved.why}`, undefined, moved);

    res.json(moved);
  });
  router.all('/channels/:unit', onlyMethods('PATCH'));

  const requireReader = auth.requireAnyToken();
  router.get(
    '/releases',
    (req, res, next) => (isQa(req) ? next() : void requireReader(req, res, next)),
    async (_req, res) =>
      res.json((await listRegistry(releases.db, releases.health?.findDamage)) satisfies RegistryListing),
  );
  router.all('/releases', onlyRead);

  return router;
}
