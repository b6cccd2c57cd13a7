import { once } from 'node:events';
import type { Server } from 'node:http';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import type { SiteSettings } from '@app/contracts/site-settings';
import { createApp } from './app.ts';
import { clientAddress } from './http/client-address.ts';
import { createHttpServer, watchConnections } from './http/http-server.ts';
import { createLog } from './http/log.ts';
import { isOurOrigin } from './http/our-origin.ts';
import { migrate } from './db/migrate.ts';
import { openDb } from './db/open-db.ts';
import { EnvError, parseEnv, type Env } from './env.ts';
import { presentCaptcha, readRecaptchaAccount } from './features/captcha/recaptcha-account.ts';
import { writeDefaultContent } from './features/content/default-content.ts';
import { loadDownloads } from './features/downloads/load-downloads.ts';
import { loadLimits } from './features/key-system/load-limits.ts';
import { readReleases } from './features/releases/read-releases.ts';
import { releasesRoutes } from './features/releases/releases.routes.ts';
import { startSweeper } from './features/sweeper/start-sweeper.ts';
import { pagesRoutes } from './html/pages.routes.ts';
import { siteFilesRoutes } from './html/site-files.routes.ts';
import { openLiveHub } from './live/live-hub.ts';
import { loadSecrets } from './secrets/load-secrets.ts';
import { stopGracefully } from './stop-gracefully.ts';

/** Where the build puts what it makes, from the folder that the server is started in. */
const RELEASES_DIR = resolve('dist');

const CHECKPOINT_SCRIPT = join(RELEASES_DIR, 'api/checkpoint.js');

/** Icons and the pictures of shared links, drawn by `npm run draw`. */
const PICTURES_DIR = resolve('api/pictures');

/** Opens everything, listens, and says so in one line; SIGTERM or SIGINT end it cleanly. */
async function main(): Promise<void> {
  const env = parseEnv(process.env);
  const isDevelopment = env.NODE_ENV !== 'production';
  const secrets = loadSecrets(env);
  const downloads = loadDownloads(env);
  const releases = readReleases(RELEASES_DIR);
  const log = createLog();
  const db = openDb({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR, checkpointScript: CHECKPOINT_SCRIPT });
  await migrate(db);
  const contentDir = join(env.DATA_DIR, 'content');
  if (isDevelopment) writeDefaultContent(contentDir);

  const server = createHttpServer();
  const connections = watchConnections(server);
  const baseUrl = () => env.BASE_URL ?? `http://localhost:${portOf(server)}`;
  const live = openLiveHub({
    server,
    isOurOrigin: (origin, req) => isOurOrigin(origin, env.BASE_URL, req.headers.host),
    addressOf: (req) => clientAddress(req, env.TRUST_PROXY),
    maxSockets: env.LIVE_MAX_SOCKETS,
    maxSocketsPerNetwork: env.LIVE_MAX_SOCKETS_PER_NETWORK,
  });
  const now = () => Date.now() + (env.TEST_CLOCK_OFFSET_MS ?? 0);
  const limits = loadLimits(env);
  let isStopping = false;
  const app = await createApp({
    ...secrets,
    emergencyKid: env.SIGNING_KEY_EMERGENCY,
    db,
    log,
    now,
    baseUrl,
    selfOrigin: () => `http://${reachable(env.HOST)}:${portOf(server)}`,
    trustProxy: env.TRUST_PROXY,
    limits,
    recaptcha: readRecaptchaAccount(env),
    captchaCost: env.TEST_CAPTCHA_COST,
    minDwellMs: env.TEST_MIN_DWELL_MS,
    demoData: isDevelopment,
    contentDir,
    contentUrl: env.CONTENT_URL,
    downloads,
    isStopping: () => isStopping,
    routers: [
      releasesRoutes(RELEASES_DIR),
      siteFilesRoutes(PICTURES_DIR, baseUrl),
      pagesRoutes(releases, readSiteSettings(env), baseUrl),
    ],
  });
  server.on('request', app);

  server.listen(env.PORT, env.HOST);
  await once(server, 'listening').catch((error: unknown) => {
    throw isPortTaken(error) ? new EnvError(`PORT: ${String(env.PORT)} is taken by another program`) : error;
  });
  log.info({ port: portOf(server) }, 'listening');
  const sweeper = startSweeper({ db, limits, signingKey: () => secrets.signingKey, log, now });
  process.send?.({ type: 'listening', baseUrl: baseUrl() });

  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    const swept = sweeper.stop();
    await stopGracefully({ server, connections, closers: [() => live.close()], closeDb: () => swept.then(() => db.destroy()) });
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}

/** What the pages are told of the settings. */
function readSiteSettings(env: Env): SiteSettings {
  return {
    launchUrl: env.LAUNCH_URL,
    chunkTimeoutMs: env.CHUNK_TIMEOUT_MS,
    contentUrl: env.CONTENT_URL ?? '/content',
    captcha: presentCaptcha(readRecaptchaAccount(env)),
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');

  return address.port;
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/** A host that stands for "every address" is not one to connect to. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

main().catch((error: unknown) => {
  // A setting's own sentence says all there is to say.
  process.stderr.write(`${error instanceof EnvError ? error.message : inspect(error)}\n`);
  process.exit(1);
});
