import { channelMoveSchema } from '@app/contracts/channel-move';
import type { DeploySession, RegistryListing } from '@app/contracts/registry';
import { unitSchema } from '@app/contracts/release';
import { Router, type Request } from 'express';
import * as v from 'valibot';
import { AppError } from '#api/foundation/http/app-error.ts';
import { noStore } from '#api/foundation/http/headers.ts';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import { onlyMethods, onlyPost, onlyRead } from '#api/foundation/http/only-methods.ts';
import { type DeployAuth, deployerOf } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { listRegistry } from '#api/delivery/registry/list-registry.ts';
import { changeChannel } from './channel-changes.ts';
import type { ChannelDeps } from './change-channels.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import type { ReleaseHealth } from '#api/delivery/store/release-health.ts';

interface ChannelsRoutesDeps {
  releases: ChannelDeps & {
    registry: Registry;
    now: () => number;
    health?: Pick<ReleaseHealth, 'findDamage'> | undefined;
  };
  auth: DeployAuth;
  isQa: (req: Request) => boolean;
}

export function channelsRoutes({ releases, auth, isQa }: ChannelsRoutesDeps): Router {
  const router = Router();

  router.patch('/channels/:unit', auth.requireToken(), jsonBody, async (req, res) => {
    const { unit } = parse(v.object({ unit: unitSchema }), req.params);
    const change = parse(channelMoveSchema, req.body);
    const changed = await changeChannel(releases, unit, change, { by: deployerOf(res), at: releases.now() });
    if (changed.outcome === 'refused') throw new AppError(`release.${changed.why}`, undefined, changed);

    res.json(changed);
  });
  router.all('/channels/:unit', onlyMethods('PATCH'));

  router.post('/deploy-sessions', auth.requireAnyToken(), noStore, async (_req, res) =>
    res.status(201).json((await auth.openSession(res)) satisfies DeploySession),
  );
  router.all('/deploy-sessions', onlyPost);

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
