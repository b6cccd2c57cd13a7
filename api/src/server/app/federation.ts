import type { RequestHandler } from 'express';
import {
  clientAddress,
  type EnsureVisitorCookie,
  networkOf,
  type VisitorCookie,
} from '#api/foundation/visitors/client-identity.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { createCanaryWatch } from '#api/delivery/canary/canary-watch.ts';
import { channelsRoutes } from '#api/delivery/channels/channels.routes.ts';
import { createDeployAuth } from '#api/delivery/deploy-tokens/deploy-auth.ts';
import { federationRoutes } from '#api/delivery/serving/federation.routes.ts';
import { loadReportsRoutes } from '#api/delivery/canary/load-reports.routes.ts';
import { publishRoutes } from '#api/delivery/publishing/publish.routes.ts';
import { answerPinLinks } from '#api/delivery/qa/pin-links.ts';
import { createQa } from '#api/delivery/qa/qa.ts';
import { qaRoutes } from '#api/delivery/qa/qa.routes.ts';
import { createReleasesRepository } from '#api/delivery/registry/releases.repository.ts';
import { createVisitorChoice } from '#api/delivery/serving/visitor-choice.ts';
import { createOutageLog } from '#api/foundation/jobs/background-job.ts';
import type { RateLimiter } from '#api/foundation/http/rate-limit.ts';
import type { AppDeps } from './app-deps.ts';

interface FederationParts {
  pseudonyms: Pseudonyms;
  visitorCookie: VisitorCookie;
  ensureVisitorCookie: EnsureVisitorCookie;
  limiter: RateLimiter;
}

export type Federation = ReturnType<typeof openFederation>;

/** Creates everything that decides which releases a visitor gets, and that learns how they do. */
export function openFederation(
  { db, log, now, baseUrl, pepper, trustProxy, limits, ...deps }: AppDeps,
  { pseudonyms, visitorCookie, ensureVisitorCookie, limiter }: FederationParts,
) {
  const releases = { ...deps.releases, prerendering: deps.prerendering, db, now };
  const { registry, health } = releases;
  const watch = createCanaryWatch({
    db,
    registry,
    pseudonyms,
    networkOf: (req) => networkOf(clientAddress(req, trustProxy)),
    warn: (halted) => log.warn(halted, 'a canary was halted'),
    now,
  });
  const known = createReleasesRepository(db);
  const qa = createQa({
    ...deps.qa,
    pepper,
    registry,
    // A pin may name a channel, which is no version.
    async notePins(pins, until) {
      for (const [unit, pin] of Object.entries(pins)) await known.markPinned(unit, pin, until);
    },
    now,
  });
  const choose = qa.explain(
    createVisitorChoice({
      registry,
      health,
      pseudonyms,
      visitorCookie,
      ensureVisitorCookie,
      readPins: qa.readPins,
      now,
    }),
  );
  const auth = createDeployAuth({ db, limiter, now });
  const attempt = createOutageLog(log, {
    away: 'the registry cannot be read; what was served stays',
    back: 'the registry can be read again',
  });

  return {
    choose,
    onSent: watch.noteSent,
    /** Is mounted at `/releases`, before the files. */
    onFile: ((req, _res, next) => {
      watch.noteLoad(req);
      next();
    }) satisfies RequestHandler,
    /** What is mounted below `/api`. */
    api: [
      federationRoutes({ choose }),
      loadReportsRoutes({ watch, limits, limiter }),
      publishRoutes({ releases, requireToken: auth.requireToken(), readAgain: (req) => auth.readAgain(req) }),
      channelsRoutes({ releases, auth, isQa: qa.hasAccess }),
    ] satisfies RequestHandler[],
    answerPinLinks: answerPinLinks(qa),
    /** What is mounted before the files of releases. */
    qa: qaRoutes({ qa, limiter, baseUrl, folder: releases.store.folder }) satisfies RequestHandler,

    /**
     * Reads what other servers have moved, and judges the canaries. Meanwhile and while the database is away, pages come
     * from memory; only the first failure in a row is logged.
     */
    follow: async (): Promise<void> => {
      await health?.turn();
      await attempt(async () => {
        await registry.refresh();
        await watch.turn();
      });
    },
  };
}
