import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inspect, parseEnv as parseEnvFile } from 'node:util';
import { createApp } from './app.ts';
import { openPresence } from './app/presence.ts';
import { openReleases } from './app/releases.ts';
import { clientAddress } from '#api/foundation/visitors/client-identity.ts';
import { answerInTurn, createHttpServer, watchConnections } from './http-server.ts';
import { createLog } from '#api/foundation/telemetry/log.ts';
import { createOutageLog, repeat } from '#api/foundation/jobs/background-job.ts';
import { createMetricsServer } from './metrics-server.ts';
import { isOurOrigin } from './our-origin.ts';
import { watchOverload } from './overload.ts';
import { withTimeout } from '#api/foundation/jobs/with-timeout.ts';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { findFreeBytes, prepareDataDir } from '#api/foundation/db/data-dir.ts';
import { openServerDb } from '#api/foundation/db/open-server-db.ts';
import { EnvError, listUnread, parseEnv, readAll } from '#api/foundation/settings/env.ts';
import { sealAll } from '#api/foundation/audit/seal-audit.ts';
import { openAuditTrust } from '#api/foundation/audit/audit-trust.ts';
import { readRecaptchaAccount } from '#api/product/captcha/recaptcha-account.ts';
import { writeDefaultContent } from '#api/product/content/default-content.ts';
import { loadDownloads } from '#api/product/downloads/load-downloads.ts';
import { readStripeAccount } from '#api/product/payments/stripe-account.ts';
import { creditConfirmed } from '#api/product/key-system/credit-confirmed.ts';
import { loadLimits } from '#api/product/key-system/load-limits.ts';
import { fillMailboxes } from '#api/product/licences/fill-mailboxes.ts';
import { remindOwners } from '#api/product/licences/remind-owners.ts';
import { createMailSender } from '#api/product/mail/mail-sender.ts';
import { openSendMail } from '#api/product/mail/open-send-mail.ts';
import { calculateThumbprint } from '#api/foundation/crypto/public-jwk.ts';
import { editedRoutes, releasesRoutes } from '#api/delivery/serving/releases.routes.ts';
import { startSweeper } from '#api/product/sweeper/start-sweeper.ts';
import { siteFilesRoutes } from '#api/delivery/pages/site-files.routes.ts';
import { listen, listenWithSeveral, portOf, reachable } from './listen.ts';
import { readSiteSettings } from '#api/product/site-settings.ts';
import { loadAdvertisers } from '#api/product/advertisers/advertisers-settings.ts';
import { openLiveHub } from './live/live-hub.ts';
import { readOrGenerateSecret } from '#api/foundation/crypto/generated-secret-file.ts';
import { notifySupervisor } from './notify-supervisor.ts';
import { loadSecrets } from '#api/foundation/secrets/load-secrets.ts';
import { requireSharedSecrets } from './require-shared-secrets.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { PROXY_IDLE_MS, stopGracefully } from './stop-gracefully.ts';

/** The folder of everything that the build makes, also of this server. */
const BUILT_DIR = resolve(import.meta.dirname, '..');

/** How often what is served is read again, for moves that another process has made. */
const REGISTRY_PAUSE_MS = 500;

/** The file in the data folder with this server's name in the database. */
const INSTANCE_FILE = 'instance';

/** How often this server looks for published releases that it lacks. */
const FETCHING_PAUSE_MS = 1000;

/** How often recorded events are sealed into the audit's chain. */
const SEAL_PAUSE_MS = 500;

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
  const { secrets, advertisers, downloads, limits } = readAll({
    secrets: () => loadSecrets(env),
    advertisers: () => loadAdvertisers(env),
    downloads: () => loadDownloads(env),
    limits: () => loadLimits(env),
  });
  const log = createLog();
  for (const setting of listUnread(process.env, namesInFile())) log.warn({ setting }, 'no setting has this name');
  const {
    db,
    readPool,
    close: closeDb,
  } = await openServerDb({
    databaseUrl: env.DATABASE_URL,
    poolSize: env.DATABASE_POOL,
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
  const instance = readOrGenerateSecret(join(env.DATA_DIR, INSTANCE_FILE), randomId);
  if (env.DATABASE_URL !== undefined) await requireSharedSecrets(db, env, instance);
  const { store, registry, health, prerendering, fetchMissing } = await openReleases({
    env,
    db,
    log,
    now,
    builtDir: BUILT_DIR,
  });

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
    advertisers,
    instance,
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
    load: watchOverload(log, readPool),
    freeBytes: () => findFreeBytes(env.DATA_DIR),
    routers: [
      areEdited ? editedRoutes(BUILT_DIR) : releasesRoutes(store.folder, registry, health),
      siteFilesRoutes({ folder: PICTURES_DIR, registry, baseUrl, contact: env.SECURITY_CONTACT, now }),
    ],
    releases: { store, registry, health },
    qa: { accessKey: env.QA_ACCESS_KEY, isOpen: isDevelopment },
    siteSettings: readSiteSettings(env),
    prerendering,
  });
  server.on('request', answerInTurn(app));

  if (env.METRICS_PORT !== undefined) {
    const metrics = createMetricsServer();
    await listen(metrics, { HOST: env.METRICS_HOST, PORT: env.METRICS_PORT }, 'METRICS_');
    log.info({ port: portOf(metrics) }, 'metrics');
  }
  const moreListeners = await listenWithSeveral(server, env);
  const auditTrust = openAuditTrust(env);
  const { kid, publicJwk } = secrets.signingKey;
  auditTrust.keepKey(publicJwk, now());
  log.info({ kid, thumbprint: calculateThumbprint(publicJwk) }, 'signing');
  const sweeper = startSweeper({
    db,
    limits,
    creditConfirmed: (limit) => creditConfirmed(keySystem, limit),
    remindOwners: (limit) => remindOwners(licences, limit),
    fillMailboxes: (limit) => fillMailboxes(licences, limit),
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
  const fetching = fetchMissing && repeat(fetchMissing, FETCHING_PAUSE_MS);
  const attemptToSeal = createOutageLog(log, {
    away: 'the audit cannot be sealed; what was recorded waits',
    back: 'the audit is sealed again',
  });
  const sealing = repeat(() => attemptToSeal(() => sealAll(db)), SEAL_PAUSE_MS);
  // SQLite has one server.
  const presence = env.DATABASE_URL === undefined ? undefined : openPresence({ db, log, name: instance, live });

  const tellSupervisor = (word: 'READY=1' | 'STOPPING=1') =>
    notifySupervisor(env.NOTIFY_SOCKET, word, (error) => log.warn({ err: error }, 'the supervisor was not told'));

  const stop = async (reason: NodeJS.Signals | 'disconnect') => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'stopping');
    tellSupervisor('STOPPING=1');
    const rested = Promise.all([sweeper.stop(), mailing.stop(), following.stop(), sealing.stop(), fetching?.stop()]);
    await stopGracefully({
      server,
      moreListeners,
      connections,
      closers: [() => live.close(), () => laterWrites.hurry()],
      finishWrites: async (ms) =>
        void (await Promise.all([laterWrites.finish(ms), withTimeout(ms, afterAnswer.finish(), undefined)])),
      async closeDb() {
        await rested;
        await presence?.stop();
        await closeDb();
      },
      delayMs: env.STOP_DELAY_MS,
      idleMs: env.TRUST_PROXY > 0 ? PROXY_IDLE_MS : 0,
    });
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  // The process that started the server has ended, perhaps without a signal.
  process.on('disconnect', () => void stop('disconnect'));
  if (process.channel === null) void stop('disconnect');

  log.info({ port: portOf(server) }, 'listening');
  tellSupervisor('READY=1');
  // The process that waits for this message may have ended, which is no failure of the server.
  process.send?.({ type: 'listening', baseUrl: baseUrl() }, undefined, undefined, () => undefined);
}

/** The names in the file `.env`. The starting process has read it into the environment. */
function namesInFile(): string[] {
  return existsSync('.env') ? Object.keys(parseEnvFile(readFileSync('.env', 'utf8'))) : [];
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
