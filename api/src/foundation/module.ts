import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Db } from './db/schema.ts';
import type { PolicySources } from './http/headers.ts';
import { createRateLimiter, type RateLimiter } from './http/rate-limit.ts';
import { type BackgroundQueue, createBackgroundQueue } from './jobs/background-queue.ts';
import { startPeriodic, type PeriodicJob } from './jobs/periodic-job.ts';
import {
  createEnsureVisitorCookie,
  createReadClientIdentity,
  createVisitorCookie,
  type EnsureVisitorCookie,
  type ReadClientIdentity,
  type VisitorCookie,
} from './visitors/client-identity.ts';
import { createPseudonyms, type Pseudonyms } from './visitors/pseudonyms.ts';
import type { WebhookSources } from './webhooks/webhook-sender.ts';

interface SiteDeps {
  db: Db;
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
  /** The name of this server. It is the same at each start, and no other server on the same database has it. */
  instance: string;
  /** The site's own origin, as visitors know it. */
  baseUrl: () => string;
  /** The origin under which this server can call itself. */
  selfOrigin: () => string;
  /** How many of our proxies are in front of the server. */
  trustedHops: number;
  pepper: string;
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal;
}

export interface Site extends SiteDeps {
  pseudonyms: Pseudonyms;
  visitorCookie: VisitorCookie;
  ensureVisitorCookie: EnsureVisitorCookie;
  readIdentity: ReadClientIdentity;
  limiter: RateLimiter;
  background: BackgroundQueue;
}

/** Adds what modules share: how visitors are known, and one count of their requests. */
export function createSite(deps: SiteDeps): Site {
  const { now, trustedHops, pepper, stopping } = deps;
  const pseudonyms = createPseudonyms(pepper);
  const cookie = createVisitorCookie(pepper);
  return {
    ...deps,
    pseudonyms,
    visitorCookie: cookie,
    ensureVisitorCookie: createEnsureVisitorCookie({ cookie, now }),
    readIdentity: createReadClientIdentity({ cookie, pseudonyms, trustedHops, now }),
    limiter: createRateLimiter({ now, trustedHops }),
    background: createBackgroundQueue({ now, stopping }),
  };
}

export interface Job {
  /** Must not throw; ends early when the signal is aborted. */
  run: (signal: AbortSignal) => Promise<void>;
  /** The pause after each turn. */
  intervalMs: number;
  /** Is given a function that starts the next turn at once. */
  onTrigger?: (trigger: () => void) => void;
}

/** A part of the site: what it answers, and what it does in the background. It is disposed after the last request. */
export interface Module extends Partial<AsyncDisposable> {
  routes: {
    /** Mounted before everything else: most requests are for pages, and each router before them costs each page. */
    pages?: readonly RequestHandler[];
    /** Mounted below `/api`. */
    api?: readonly RequestHandler[];
    /** Mounted at the root. */
    site?: readonly RequestHandler[];
    /** Mounted at the root, after the routes of all modules: no file hides a route. */
    files?: readonly RequestHandler[];
  };
  /** What the documents of the site load because of this module. */
  policy?: PolicySources;
  jobs: readonly Job[];
  /** What webhooks tell of the module's events. */
  webhooks?: WebhookSources | undefined;
  /** Called when the server takes no new connections, while requests still come. */
  drain?: () => void;
}

export function startJobs(modules: readonly Module[]): PeriodicJob[] {
  return modules.flatMap(({ jobs }) =>
    jobs.map(({ run, intervalMs, onTrigger }) => {
      const job = startPeriodic(run, intervalMs);
      onTrigger?.(() => job.trigger());
      return job;
    }),
  );
}
