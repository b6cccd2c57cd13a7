import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join, resolve } from 'node:path';
import { inspect, parseEnv as parseEnvFile } from 'node:util';
import { SHELL } from '@app/contracts/release';
import { createApp } from './app.ts';
import { clientAddress } from './http/client-address.ts';
import { answerInTurn, createHttpServer, watchConnections } from './http/http-server.ts';
import { createLog } from './http/log.ts';
import { createOutageLog } from './http/log-outage.ts';
import { isOurOrigin } from './http/our-origin.ts';
import { DatabaseUnavailable } from './db/database-unavailable.ts';
import { findFreeBytes, prepareDataDir } from './db/data-dir.ts';
import { openServerDb } from './db/open-server-db.ts';
import { EnvError, listUnread, parseEnv, readAll } from './env.ts';
import { sealAll } from './features/audit/seal-audit.ts';
import { openAuditTrust } from './features/audit/audit-trust.ts';
import { readRecaptchaAccount } from './features/captcha/recaptcha-account.ts';
import { writeDefaultContent } from './features/content/default-content.ts';
import { loadDownloads } from './features/downloads/load-downloads.ts';
import { readStripeAccount } from './features/payments/stripe-account.ts';
import { creditConfirmed } from './features/key-system/credit-confirmed.ts';
import { loadLimits } from './features/key-system/load-limits.ts';
import { remindOwners } from './features/licences/remind-owners.ts';
import { createMailSender } from './features/mail/mail-sender.ts';
import { openSendMail } from './features/mail/open-send-mail.ts';
import { calculateThumbprint } from './crypto/signing-key.ts';
import { readEditedUnits } from './features/releases/edited-registry.ts';
import { publishBuilt } from './features/releases/publish-built.ts';
import { openRegistry } from './features/releases/registry.ts';
import { createReleaseHealth } from './features/releases/release-health.ts';
import { openReleaseStore } from './features/releases/release-store.ts';
import { editedRoutes, releasesRoutes } from './features/releases/releases.routes.ts';
import { repeat } from './features/sweeper/repeat.ts';
import { startSweeper } from './features/sweeper/start-sweeper.ts';
import { siteFilesRoutes } from './html/site-files.routes.ts';
import { listen } from './listen.ts';
import { openPrerendering, readSiteSettings } from './html/open-prerendering.ts';
import { openLiveHub } from './live/live-hub.ts';
import { readOrGenerateSecret } from './crypto/generated-secret-file.ts';
import { loadSecrets } from './secrets/load-secrets.ts';
import { randomId } from './crypto/random-id.ts';
import { PROXY_IDLE_MS, stopGracefully } from './stop-gracefully.ts';

/** The folder of everything that the build makes, also of this server. */
const BUILT_DIR = resolve(import.meta.dirname, '..');

/** How often what is served is read again, for moves that another process has made. */
const REGISTRY_PAUSE_MS = 500;

/** Without the shell there is no page, so the server does not start. Any other unit may be missing. */
const NO_SHELL = 'There is no release of the shell. Build one with “npm run build”, then start again.';

/** The file in the data folder with this server's name in the database. */
const INSTANCE_FILE = 'instance';

/** How often recorded events are sealed into the audit's chain. */
const SEAL_PAUSE_MS = 500;

/** How long pages may take to be rendered before a start goes on, and before a move of another process counts here. */
const RENDERING_MS = { start: 15_000, move: 500 };

const RENDER_PROGRAM = join(BUILT_DIR, 'api/render.js');
const CHECKPOINT_SCRIPT = join(BUILT_DIR, 'api/checkpoint.js');

/** Icons and the pictures of shared links, drawn by `npm run draw`. */
const PICTURES_DIR = resolve('api/pictures');

/** How often the queue of mails is looked at for what another server has queued, or is to be tried again. */
const MAIL_PAUSE_MS = 30_000;

/** The exit code when the disk has failed: EX_IOERR of sysexits.h. */
const EXIT_DISK = 74;

/** New files are for the server's own user alone. */
const PRIVATE_UMASK = 0o077;

/** Starts the server: opens everything, listens, and logs `listening`. SIGTERM or SIGINT stop it cleanly. */
async function main(): Promise<void> {
  const env = parseEnv(process.env);
  const isDevelopment = env.NODE_ENV !== 'production';
  prepareDataDir(env.DATA_DIR);
  const { secrets, downloads, limits } = readAll({
    secrets: () => loadSecrets(env),
    downloads: () => loadDownloads(env),
    limits: () => loadLimits(env),
  });
  const log = createLog();
  for (const setting of listUnread(process.env, namesInFile())) log.warn({ setting }, 'no setting has this name');
  const { db, close: closeDb } = await openServerDb({
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    checkpointWorker: CHECKPOINT_SCRIPT,
    onDiskFailure(error) {
      log.fatal({ err: error }, 'the disk has failed: what was written last may be lost, so nothing more is answered');
      process.exit(EXIT_DISK);
    },
    warn: (error) => log.warn({ err: error }, 'database'),
  });
  const contentDir = join(env.DATA_DIR, 'content');
  if (isDevelopment) writeDefaultContent(contentDir);
  const now = () => Date.now() + (env.TEST_CLOCK_OFFSET_MS ?? 0);
  const areEdited = env.DEV_UPDATES_URL !== undefined;
  const store = await openReleaseStore(env.RELEASES_DIR);
  if (!areEdited)
    await publishBuilt({ db, store, now, warn: (problem) => log.warn({ problem }, 'release') }, BUILT_DIR);
  const health = createReleaseHealth(store.folder, (found) =>
    found.damage === undefined
      ? log.info(found, 'the files of a release are right again')
      : log.error(found, 'a release is damaged'),
  );
  const prerendering = openPrerendering(env, RENDER_PROGRAM, {
    folder: store.folder,
    warn: (problem) => log.warn(problem, 'pages were not rendered ahead of time'),
  });
  let patienceMs = RENDERING_MS.start;
  const registry = areEdited
    ? readEditedUnits(BUILT_DIR)
    : await openRegistry(db, async (served) => {
        await health.inspect(served);
        await prerendering.prepare(served, patienceMs);
      });
  patienceMs = RENDERING_MS.move;
  if (!registry.snapshot().units.has(SHELL)) throw new EnvError(NO_SHELL);

  const server = createHttpServer();
  const connections = watchConnections(server);
  const baseUrl = () => env.BASE_URL ?? `http://localhost:${portOf(server)}`;
  const live = openLiveHub({
    server,
    isOurOrigin: (origin, req) => isOurOrigin(origin, env.BASE_URL, req.headers.host),
    clientAddressOf: (req) => clientAddress(req, env.TRUST_PROXY),
    maxSockets: env.LIVE_MAX_SOCKETS,
    maxSocketsPerNetwork: env.LIVE_MAX_SOCKETS_PER_NETWORK,
  });
  let isStopping = false;
  const { app, keySystem, laterWrites, mailQueue, licences, afterAnswer, followRegistry } = await createApp({
    ...secrets,
    instance: readOrGenerateSecret(join(env.DATA_DIR, INSTANCE_FILE), randomId),
    emergencyKid: env.SIGNING_KEY_EMERGENCY,
    db,
    log,
    now,
    baseUrl,
    selfOrigin: () => `http://${reachable(env.HOST)}:${portOf(server)}`,
    trustProxy: env.TRUST_PROXY,
    limits,
    recaptcha: readRecaptchaAccount(env),
    stripe: readStripeAccount(env),
    captchaCost: env.TEST_CAPTCHA_COST,
    minDwellMs: env.TEST_MIN_DWELL_MS,
    demoData: isDevelopment,
    contentDir,
    contentUrls: [env.CONTENT_URL, env.CONTENT_API_URL],
    updatesUrl: env.DEV_UPDATES_URL,
    downloads,
    resetPrivacy: env.RESET_PRIVACY,
    isStopping: () => isStopping,
    freeBytes: () => findFreeBytes(env.DATA_DIR),
    routers: [
      areEdited ? editedRoutes(BUILT_DIR) : releasesRoutes(store.folder, registry, health),
      siteFilesRoutes(PICTURES_DIR, registry.snapshot, baseUrl),
    ],
    releases: { store, registry, health },
    qa: { accessKey: env.QA_ACCESS_KEY, isOpen: isDevelopment },
    siteSettings: readSiteSettings(env),
    ...(!areEdited && { prerendering }),
  });
  server.on('request', answerInTurn(app));

  await listen(server, env);
  const auditTrust = openAuditTrust(env);
  const { kid, publicJwk } = secrets.signingKey;
  auditTrust.keepKey(publicJwk, now());
  log.info({ kid, thumbprint: calculateThumbprint(publicJwk) }, 'signing');
  const sweeper = startSweeper({
    db,
    limits,
    creditConfirmed: (limit) => creditConfirmed(keySystem, limit),
    remindOwners: (limit) => remindOwners(licences, limit),
    removeLeftovers: store.removeLeftovers,
    signingKey: () => secrets.signingKey,
    auditTrust,
    log,
    now,
  });
  const sender = createMailSender({ db, mailQueue, send: openSendMail(env, log), log, now });
  const mailing = repeat((signal) => sender.sendDue(signal), MAIL_PAUSE_MS);
  mailQueue.whenWoken(() => mailing.hurry());
  const following = repeat(followRegistry, REGISTRY_PAUSE_MS);
  const attemptToSeal = createOutageLog(log, {
    away: 'the audit cannot be sealed; what was recorded waits',
    back: 'the audit is sealed again',
  });
  const sealing = repeat(() => attemptToSeal(() => sealAll(db)), SEAL_PAUSE_MS);

  const stop = async (reason: NodeJS.Signals | 'disconnect') => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'stopping');
    const rested = Promise.all([sweeper.stop(), mailing.stop(), following.stop(), sealing.stop()]);
    await stopGracefully({
      server,
      connections,
      closers: [() => live.close(), () => laterWrites.hurry()],
      finishWrites: async (ms) => void (await Promise.all([laterWrites.finish(ms), afterAnswer.finish()])),
      closeDb: () => rested.then(closeDb),
      idleMs: env.TRUST_PROXY > 0 ? PROXY_IDLE_MS : 0,
    });
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
  // The process that started the server has ended, perhaps without a signal.
  process.on('disconnect', () => void stop('disconnect'));
  if (process.channel === null) void stop('disconnect');

  log.info({ port: portOf(server) }, 'listening');
  // The process that waits for this message may have ended, which is no failure of the server.
  process.send?.({ type: 'listening', baseUrl: baseUrl() }, undefined, undefined, () => undefined);
}

/** The names in the file `.env`. The starting process has read it into the environment. */
function namesInFile(): string[] {
  return existsSync('.env') ? Object.keys(parseEnvFile(readFileSync('.env', 'utf8'))) : [];
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');

  return address.port;
}

/** The host to connect to: "every address" is not one. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

// Set here, whatever umask the machine has.
process.umask(PRIVATE_UMASK);
main().catch((error: unknown) => {
  // These errors are clear without a stack.
  process.stderr.write(
    `${error instanceof EnvError || error instanceof DatabaseUnavailable ? error.message : inspect(error)}\n`,
  );
  process.exit(1);
});
