import { API_VERSIONS } from '@app/contracts/api-version';
import express, { type Express } from 'express';
import { AppError } from '#api/foundation/http/app-error.ts';
import { handleError } from '#api/foundation/http/handle-error.ts';
import {
  callPolicy,
  noStore,
  allowAnyOrigin,
  securityHeaders,
  type PolicySources,
} from '#api/foundation/http/headers.ts';
import { interstitialRoutes } from '#api/foundation/http/interstitial.ts';
import { assignRequestId, observeRequests } from '#api/foundation/http/observe-requests.ts';
import { apiVersion } from '#api/foundation/http/api-version.ts';
import type { Module, Site } from '#api/foundation/module.ts';
import { warnOfUnknownProxy } from './forwarded-warning.ts';
import { healthRoutes, type Health } from './health.routes.ts';

/** For programs on other sites, with all their refusals. */
const PUBLIC_PATHS = ['/.well-known/jwks.json', '/openapi.json', '/vectors.json'];

/** Answers requests with the routes of all modules. It opens no port and reads no environment variable. */
export function createApp(site: Site, modules: readonly Module[], health: Health): Express {
  const { log, now, baseUrl, trustedHops, limiter } = site;
  const routes = modules.map((module) => module.routes);
  const app = express().disable('x-powered-by').set('trust proxy', trustedHops);

  app.use(warnOfUnknownProxy({ trustedHops, log, now }));
  app.use(assignRequestId(trustedHops), observeRequests(log));
  app.use(securityHeaders({ baseUrl, ...mergePolicies(modules) }));
  for (const { pages = [] } of routes) for (const router of pages) app.use(router);

  app.use('/readyz', limiter.byAddress({ name: 'readiness', max: health.readinessPerMinute }));
  app.use(healthRoutes(site, health), interstitialRoutes());

  app.use('/api', noStore, callPolicy);
  app.use(PUBLIC_PATHS, allowAnyOrigin);
  app.use(['/api', ...PUBLIC_PATHS], apiVersion(API_VERSIONS));
  // One router for all calls, so that other paths are compared with their prefix once.
  const api = express.Router();
  app.use('/api', api);
  for (const { api: routers = [] } of routes) for (const router of routers) api.use(router);
  for (const { site: routers = [] } of routes) for (const router of routers) app.use(router);
  for (const { files = [] } of routes) for (const router of files) app.use(router);

  app.use((req) => {
    throw new AppError('route.not_found', `Nothing answers ${req.method} here.`);
  });
  app.use(handleError((error, requestId) => log.error({ err: error, requestId }, 'request failed'), now, baseUrl));
  return app;
}

function mergePolicies(modules: readonly Module[]): PolicySources {
  return modules.reduce((sources, { policy }) => ({ ...sources, ...policy }), {});
}
