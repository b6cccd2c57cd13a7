import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join, resolve } from 'node:path';
import { inspect, parseEnv as parseEnvFile } from 'node:util';
import type { Logger } from 'pino';
import { openDelivery } from '#api/delivery/open-delivery.ts';
import { openAudit } from '#api/foundation/open-audit.ts';
import { openWebhooks } from '#api/foundation/open-webhooks.ts';
import { openAuditTrust } from '#api/foundation/audit/audit-trust.ts';
import { readOrGenerateSecret } from '#api/foundation/crypto/generated-secret-file.ts';
import { calculateThumbprint } from '#api/foundation/crypto/public-jwk.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { findFreeBytes, prepareDataDir } from '#api/foundation/db/data-dir.ts';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { openServerDb } from '#api/foundation/db/open-server-db.ts';
import type { ServerLoad } from '#api/foundation/http/shed-load.ts';
import { createSite, startJobs, type Module, type Site } from '#api/foundation/module.ts';
import { listExposedFiles, loadSecrets } from '#api/foundation/secrets/load-secrets.ts';
import { type Env, EnvError, listUnused, parseEnv, readAll } from '#api/foundation/settings/env.ts';
import { createLog } from '#api/foundation/telemetry/log.ts';
import { bindPepper } from '#api/foundation/visitors/pepper-check.ts';
import { openSendMail } from '#api/product/mail/mail-transport.ts';
import { openProduct } from '#api/product/open-product.ts';
import { loadProductSettings, type ProductSettings, readSiteSettings } from '#api/product/product-settings.ts';
import { createApp } from './app.ts';
import type { Health } from './health.routes.ts';
import { createHttpServer, serializePipelined, watchConnections } from './http-server.ts';
import { listen, listenReusePort, portOf, reachableHost } from './listen.ts';
import { openLive } from './live/open-live.ts';
import { openClock } from './open-clock.ts';
import { createMetricsServer } from './metrics-server.ts';
import { notifySupervisor } from './notify-supervisor.ts';
import { watchOverload } from './overload.ts';
import { requireSharedSecrets } from './require-shared-secrets.ts';
import { PROXY_IDLE_TIMEOUT_MS, stopGracefully } from './stop-gracefully.ts';

/** The folder of everything that the build makes, also of this server. */
const BUILT_DIR = resolve(import.meta.dirname, '..');

/** The file in the data folder with this server's name in the database. */
const INSTANCE_FILE = 'instance';

const CHECKPOINT_SCRIPT = join(BUILT_DIR, 'api/checkpoint.js');

/** Icons and the pictures of shared links. Commit a0a1e7dd has the program that drew them. */
const PICTURES_DIR = resolve('api/pictures');

/** The exit code when the disk has failed: EX_IOERR of sysexits.h. */
const DISK_FAILURE_EXIT_CODE = 74;

/** New files are for the server's own user alone. */
const PRIVATE_UMASK = 0o077;

/** Starts the server: opens everything, listens, and logs `listening`. SIGTERM or SIGINT stop it cleanly. */
async function main(): Promise<void> {
  const env = parseEnv(process.env);
  prepareDataDir(env.DATA_DIR);
  const { secrets, settings } = readAll({
    secrets: () => loadSecrets(env),
    settings: () => loadProductSettings(env),
  });
  const log = createLog();
  warnOfSettings(env, log);
  const { instance, ...database } = await openDatabase(env, log, secrets.pepper);

  const server = createHttpServer();
  const connections = watchConnections(server);
  const stopping = new AbortController();
  const site = createSite({
    db: database.db,
    log,
    now: () => Date.now() + (env.TEST_CLOCK_OFFSET_MS ?? 0),
    instance,
    baseUrl: () => env.BASE_URL ?? `http://localhost:${portOf(server)}`,
    selfOrigin: () => `http://${reachableHost(env.HOST)}:${portOf(server)}`,
    trustedHops: env.TRUST_PROXY,
    pepper: secrets.pepper,
    stopping: stopping.signal,
  });
  const load = watchOverload(log, database.readPool);
  const { modules, health } = await openModules(site, server, { env, secrets, settings, load });
  server.on('request', serializePipelined(createApp(site, modules, health)));

  await listenForMetrics(env, log);
  const moreListeners = await listenReusePort(server, env);
  const jobs = startJobs(modules);

  const tellSupervisor = (word: 'READY=1' | 'STOPPING=1') =>
    notifySupervisor(env.NOTIFY_SOCKET, word, (error) => log.warn({ err: error }, 'the supervisor was not told'));
  stopOnSignals(async (reason) => {
    stopping.abort();
    log.info({ reason }, 'stopping');
    tellSupervisor('STOPPING=1');
    const rested = disposeAll(jobs);
    await stopGracefully({
      server,
      moreListeners,
      connections,
      drain: () => modules.forEach((module) => module.drain?.()),
      finishWrites: async (ms) => void (await Promise.all([site.background.drain(ms), disposeAll(modules)])),
      closeDb: () => rested.then(database.close),
      delayMs: env.STOP_DELAY_MS,
      idleMs: env.TRUST_PROXY > 0 ? PROXY_IDLE_TIMEOUT_MS : 0,
    });
    log.info('stopped');
    process.exit(0);
  });

  log.info({ port: portOf(server) }, 'listening');
  tellSupervisor('READY=1');
  // The process that waits for this message may have ended, which is no failure of the server.
  process.send?.({ type: 'listening', baseUrl: site.baseUrl() }, undefined, undefined, () => undefined);
}

async function openDatabase(env: Env, log: Logger, pepper: string) {
  const database = await openServerDb({
    databaseUrl: env.DATABASE_URL,
    poolSize: env.DATABASE_POOL,
    dataDir: env.DATA_DIR,
    checkpointWorker: CHECKPOINT_SCRIPT,
    onDiskFailure(error) {
      log.fatal({ err: error }, 'the disk has failed: what was written last may be lost, so nothing more is answered');
      process.exit(DISK_FAILURE_EXIT_CODE);
    },
    warn: (error) => log.warn({ err: error }, 'database'),
  });
  const instance = readOrGenerateSecret(join(env.DATA_DIR, INSTANCE_FILE), randomId);
  if (env.DATABASE_URL !== undefined) await requireSharedSecrets(database.db, env, instance);
  await bindPepper(database.db, pepper);
  return { ...database, instance };
}

interface ModuleDeps {
  env: Env;
  secrets: ReturnType<typeof loadSecrets>;
  settings: ProductSettings;
  load: ServerLoad;
}

/** Opens all modules, and says what `/readyz` asks of them. */
async function openModules(
  site: Site,
  server: Server,
  { env, secrets, settings, load }: ModuleDeps,
): Promise<{ modules: readonly Module[]; health: Health }> {
  const delivery = await openDelivery(site, {
    env,
    builtDir: BUILT_DIR,
    picturesDir: PICTURES_DIR,
    pages: readSiteSettings(env),
    loadReportsPerMinute: settings.limits.loadReportsPerMinute,
  });
  const auditTrust = openAuditTrust(env);
  const product = await openProduct(site, settings, {
    ...secrets,
    emergencyKid: env.SIGNING_KEY_EMERGENCY,
    auditTrust,
    sendMail: openSendMail(env, site.log),
    load,
  });
  const clock = await openClock(site);
  const { kid, publicJwk } = secrets.signingKey;
  auditTrust.keepKey(publicJwk, site.now());
  site.log.info({ kid, thumbprint: calculateThumbprint(publicJwk) }, 'signing');

  const webhooks = openWebhooks(site, [delivery, product], env.WEBHOOK_ADDRESSES);
  return {
    modules: [clock, openLive(site, server, env), delivery, product, openAudit(site), webhooks],
    health: {
      readinessPerMinute: settings.limits.perAddress.readiness,
      freeBytes: () => findFreeBytes(env.DATA_DIR),
      unserved: delivery.unserved,
      clockProblem: clock.problem,
    },
  };
}

/** Stops once: at a signal, or when the process that started the server has ended, perhaps without one. */
function stopOnSignals(stop: (reason: NodeJS.Signals | 'disconnect') => Promise<void>): void {
  let isStopping = false;
  const stopOnce = (reason: NodeJS.Signals | 'disconnect') => {
    if (!isStopping) void stop(reason);
    isStopping = true;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stopOnce);
  process.on('disconnect', () => stopOnce('disconnect'));
  if (process.channel === null) stopOnce('disconnect');
}

async function disposeAll(parts: readonly Partial<AsyncDisposable>[]): Promise<void> {
  await Promise.all(parts.map(async (part) => part[Symbol.asyncDispose]?.()));
}

async function listenForMetrics({ METRICS_HOST: HOST, METRICS_PORT: PORT }: Env, log: Logger): Promise<void> {
  if (PORT === undefined) return;

  const metrics = createMetricsServer();
  await listen(metrics, { HOST, PORT }, 'METRICS_');
  log.info({ port: portOf(metrics) }, 'metrics');
}

function warnOfSettings(env: Env, log: Logger): void {
  for (const setting of listUnused(process.env, namesInFile())) log.warn({ setting }, 'no setting has this name');
  for (const file of listExposedFiles(env)) log.warn(file, 'others can read this file of secrets: chmod 600');
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
