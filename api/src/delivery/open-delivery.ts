import { join } from 'node:path';
import { SHELL } from '@app/contracts/unit';
import type { SiteSettings } from '@app/contracts/site-settings';
import { type Request, type RequestHandler, Router } from 'express';
import { clientAddress } from '#api/foundation/visitors/client-identity.ts';
import { noSharedCache } from '#api/foundation/http/headers.ts';
import { createOutageLog } from '#api/foundation/jobs/periodic-job.ts';
import type { Module, Site } from '#api/foundation/module.ts';
import { EnvError, type Env } from '#api/foundation/settings/env.ts';
import { createCanaryWatch, CANARY_WEBHOOK_SOURCES } from './canary/canary-watch.ts';
import { createWebVitals } from './canary/web-vitals.ts';
import { canaryRoutes } from './canary/canary.routes.ts';
import { channelsRoutes } from './channels/channels.routes.ts';
import { createOidcIdentities } from '#api/delivery/deploy-tokens/oidc-identity.ts';
import { createDeployAuth } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { createTrustedPublishersRepository } from '#api/delivery/deploy-tokens/deploy-tokens.repository.ts';
import { BOOT_GUARD } from './pages/boot-guard.ts';
import { FILL_EARLY_LINK } from './pages/early-links.ts';
import { createReadStyle } from '#api/delivery/pages/documents.ts';
import { LAY_OUT_PART } from '#api/delivery/pages/compose.ts';
import { pagesRoutes, rejectPageWrites } from './pages/pages.routes.ts';
import { siteFilesRoutes } from './pages/site-files.routes.ts';
import { publishBuilt } from './publishing/publish-built.ts';
import { publishRoutes } from './publishing/publish.routes.ts';
import { sweepPreviews } from './publishing/collect-garbage.ts';
import { answerPinLinks, makeShareLink } from './qa/pin-links.ts';
import { createQa } from './qa/qa.ts';
import { qaRoutes } from './qa/qa.routes.ts';
import { readEditedUnits } from '#api/delivery/registry/registry.ts';
import { openRegistry, type Registry } from './registry/registry.ts';
import { createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import { openPrerendering } from '#api/delivery/rendering/prerendering.ts';
import type { Prerendering } from './rendering/prerendering.ts';
import { createObtainReleases, obtainBeforeRendering } from './replication/obtain-releases.ts';
import { federationRoutes } from './serving/federation.routes.ts';
import { packsRoutes } from './serving/packs.routes.ts';
import { editedRoutes, releasesRoutes } from './serving/releases.routes.ts';
import { createReleaseSelector } from './serving/release-selection.ts';
import { createReleaseHealth, type ReleaseHealth } from './store/release-health.ts';
import { openReleaseStore, type ReleaseStore } from './store/release-store.ts';

/** How long pages may take to be rendered before a start goes on, and before a change of another process counts here. */
const RENDERING_TIMEOUT_MS = { start: 15_000, change: 500 };

/** How long a start, and a change of a channel, wait for the files of a release. */
const FETCH_TIMEOUT_MS = { start: 30_000, change: 5000 };

/** How often what is served is read again, for changes that another process has made. */
const REGISTRY_INTERVAL_MS = 500;

/** How often this server looks for published releases that it lacks. */
const FETCHING_INTERVAL_MS = 1000;

/** How often timings of browsers are written; a kill loses so many of them. */
const TIMINGS_INTERVAL_MS = 10_000;

/** How often what killed publications have left is looked for. */
const LEFTOVERS_INTERVAL_MS = 60_000;

/** Without the shell there is no page, so the server does not start. Any other unit may be missing. */
const NO_SHELL_ERROR = 'There is no release of the shell. Build one with “npm run build”, then start again.';

export interface OpenedReleases {
  store: ReleaseStore;
  registry: Registry;
  health?: ReleaseHealth | undefined;
  /** Undefined while units are edited. */
  prerendering?: Prerendering | undefined;
  /** Fetches published releases that this server lacks; undefined while units are edited. Never throws. */
  fetchMissing?: (() => Promise<void>) | undefined;
}

interface DeliverySettings {
  env: Env;
  builtDir: string;
  /** Icons and the pictures of shared links. */
  picturesDir: string;
  pages: SiteSettings;
  loadReportsPerMinute: number;
}

export async function openDelivery(site: Site, settings: DeliverySettings): Promise<Delivery> {
  const { env, builtDir } = settings;
  const releases = await openReleases(site, settings);
  const { store, registry, health } = releases;
  const areEdited = env.DEV_UPDATES_URL !== undefined;
  const { baseUrl, now } = site;

  return createDelivery(site, releases, {
    pages: settings.pages,
    qa: { accessKey: env.QA_ACCESS_KEY, isOpen: env.NODE_ENV !== 'production' },
    loadReportsPerMinute: settings.loadReportsPerMinute,
    updatesUrl: env.DEV_UPDATES_URL,
    files: [
      areEdited ? editedRoutes(builtDir) : releasesRoutes(store.folder, registry, health),
      siteFilesRoutes({
        folder: settings.picturesDir,
        registry,
        baseUrl,
        readStyle: createReadStyle(store.folder),
        contact: env.SECURITY_CONTACT,
        now,
      }),
    ],
  });
}

/** @throws EnvError when there is no release of the shell */
async function openReleases(
  { db, log, now }: Site,
  { env, builtDir, pages }: DeliverySettings,
): Promise<OpenedReleases> {
  const store = await openReleaseStore(env.RELEASES_DIR, env.RENDERED_DIR);
  if (env.DEV_UPDATES_URL !== undefined) return { store, registry: requireShell(readEditedUnits(builtDir)) };

  const health = createReleaseHealth(store.folder, (found) =>
    found.damage === undefined
      ? log.info(found, 'the files of a release are right again')
      : log.error(found, 'a release is damaged'),
  );
  const { isListed } = health;
  await publishBuilt({ db, store, now, isListed, warn: (problem) => log.warn({ problem }, 'release') }, builtDir);
  const obtaining = createObtainReleases({
    db,
    store,
    health,
    report: (news) =>
      news.problem === undefined
        ? log.info(news, 'a release came from the database')
        : log.error(news, 'a release could not be fetched from the database'),
  });
  const rendering = openPrerendering(env, join(builtDir, 'api'), {
    releases: store,
    settings: pages,
    warn: (problem) => log.warn(problem, 'pages were not rendered ahead of time'),
  });
  const prerendering = obtainBeforeRendering(rendering, obtaining, FETCH_TIMEOUT_MS.change);
  const registry = await openRegistry(
    db,
    async (served, isStart) => {
      await health.inspect(served);
      await prerendering.prepare(served, isStart ? RENDERING_TIMEOUT_MS.start : RENDERING_TIMEOUT_MS.change);
    },
    (served, isStart) => obtaining.obtain(served, isStart ? FETCH_TIMEOUT_MS.start : FETCH_TIMEOUT_MS.change),
  );
  const attempt = createOutageLog(log, {
    away: 'it is not known which releases this server lacks',
    back: 'it is known again which releases this server lacks',
  });
  return {
    store,
    registry: requireShell(registry),
    health,
    prerendering,
    fetchMissing: () => attempt(obtaining.turn),
  };
}

function requireShell(registry: Registry): Registry {
  if (!registry.snapshot().units.has(SHELL)) throw new EnvError(NO_SHELL_ERROR);
  return registry;
}

export interface DeliveryOptions {
  /** What pages need to know. Without it no page is served. */
  pages?: SiteSettings | undefined;
  /** The key to QA access; and whether every browser has it where there is no key, as on a development machine. */
  qa: { accessKey: string | undefined; isOpen: boolean };
  loadReportsPerMinute: number;
  /** The WebSocket address at which open pages learn of new builds, in development only. */
  updatesUrl?: string | undefined;
  files: readonly RequestHandler[];
}

export interface Delivery extends Module {
  /** The units of which this server can serve nothing, though they have a stable release. */
  unserved: () => readonly string[];
  /** Reads what other servers have changed, and judges the canaries. Never throws. */
  followRegistry: () => Promise<void>;
}

export function createDelivery(
  site: Site,
  { fetchMissing, ...opened }: OpenedReleases,
  { pages, qa: access, loadReportsPerMinute, updatesUrl, files }: DeliveryOptions,
): Delivery {
  const { db, log, now, baseUrl, pepper, trustedHops, pseudonyms, visitorCookie, ensureVisitorCookie, limiter } = site;
  const { registry, health, store } = opened;
  const releases = { ...opened, db, now };
  const watch = createCanaryWatch({
    db,
    registry,
    pseudonyms,
    addressOf: (req) => clientAddress(req, trustedHops),
    warn: (halted) => log.warn(halted, 'a canary was halted'),
    now,
  });
  const timings = createWebVitals({ db, registry, now });
  const known = createReleasesRepository(db);
  const qa = createQa({
    ...access,
    pepper,
    registry,
    // A pin may name a channel, which is no version.
    async notePins(pins, until) {
      for (const [unit, pin] of Object.entries(pins)) await known.markPinned(unit, pin, until);
    },
    now,
  });
  const select = qa.explain(
    createReleaseSelector({
      registry,
      health,
      pseudonyms,
      visitorCookie,
      ensureVisitorCookie,
      readPins: qa.readPins,
      now,
    }),
  );
  const identities = createOidcIdentities({ audience: baseUrl, pepper, now });
  const auth = createDeployAuth({ db, limiter, now, identities });
  const attempt = createOutageLog(log, {
    away: 'the registry cannot be read; what was served stays',
    back: 'the registry can be read again',
  });
  const attemptTimings = createOutageLog(log, {
    away: 'timings of browsers cannot be written; they wait in memory',
    back: 'timings of browsers are written again',
  });
  // While the database is away, pages come from memory.
  const followRegistry = async () => {
    await health?.turn();
    await attempt(async () => {
      await registry.refresh();
      await watch.turn();
    });
  };
  const sweeps = {
    'remove leftovers of publications': store.removeLeftovers,
    'remove previews that have ended': () => sweepPreviews(releases, now()),
    'forget ID tokens that have ended': () => createTrustedPublishersRepository(db).forgetEnded(now()),
  };
  const sweep = async () => {
    for (const [job, remove] of Object.entries(sweeps))
      try {
        const rows = await remove();
        if (rows > 0) log.info({ job, rows }, 'swept');
      } catch (err) {
        log.error({ err, job }, 'sweeping failed');
      }
  };
  // A page with a unit from the visitor's own computer counts for no canary, whatever it does.
  const isMixed = (req: Request) => qa.readLocal(req) !== undefined;
  const noteLoads = Router().use('/releases', (req, res, next) => {
    // From a cache it would not be counted.
    if (!isMixed(req) && watch.noteLoad(req)) noSharedCache(res);
    next();
  });

  return {
    routes: {
      pages:
        pages === undefined
          ? []
          : [
              pagesRoutes({
                select,
                answerPinLinks: answerPinLinks(qa),
                onSent: (res, selection, unit) => {
                  qa.endShownNotices(res, selection);
                  if (!selection.qa?.publicState.local) watch.noteSent(res.req, selection, unit);
                },
                settings: pages,
                baseUrl,
                prerendering: opened.prerendering,
                readStyle: createReadStyle(store.folder),
              }),
            ],
      api: [
        federationRoutes({ select }),
        packsRoutes({ registry }),
        canaryRoutes({ watch, timings, loadReportsPerMinute, limiter, isMixed }),
        publishRoutes({
          releases,
          auth,
          linkTo: ({ unit, version }, { page, until }) =>
            baseUrl() + makeShareLink(qa.signer, page, { [unit]: version }, until),
        }),
        channelsRoutes({ releases, auth, isQa: qa.hasAccess }),
      ],
      site: [qaRoutes({ qa, limiter, baseUrl, folder: store.folder })],
      files: [noteLoads, ...files, ...(pages ? [rejectPageWrites(select)] : [])],
    },
    policy: { inlineScripts: [BOOT_GUARD, LAY_OUT_PART, FILL_EARLY_LINK], updatesUrl },
    jobs: [
      { run: followRegistry, intervalMs: REGISTRY_INTERVAL_MS },
      { run: () => attemptTimings(timings.turn), intervalMs: TIMINGS_INTERVAL_MS },
      ...(fetchMissing ? [{ run: fetchMissing, intervalMs: FETCHING_INTERVAL_MS }] : []),
      { run: sweep, intervalMs: LEFTOVERS_INTERVAL_MS },
    ],
    webhooks: CANARY_WEBHOOK_SOURCES,
    unserved: () => registry.snapshot().unserved,
    followRegistry,
  };
}
