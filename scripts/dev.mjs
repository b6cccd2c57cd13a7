import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { ensureInstalled } from './install.mjs';
import { loadEnv } from './load-env.mjs';
import { requireNode } from './node-version.mjs';
import { listUnitFolders } from './units.mjs';

const LOOPBACK = '127.0.0.1';

requireNode();
loadEnv();
await ensureInstalled();

if (process.argv.length > 2) {
  const { runAgainst } = await import('./dev-against.mjs');
  process.exit(await runAgainst(process.argv.slice(2)));
}

const { createJiti } = await import('jiti');
const { rspack } = await import('@rspack/core');
const { RspackDevServer } = await import('@rspack/dev-server');

// Both the build and the server read this address. Over it, open pages are told about new builds.
const port = await freePort();
process.env.DEV_UPDATES_URL = `ws://${LOOPBACK}:${port}`;
rmSync('dist/dev', { recursive: true, force: true });

const jiti = createJiti(import.meta.url);
/** @type {(folder: string) => Promise<import('@rspack/core').Configuration[]>} */
const readConfigs = (folder) => jiti.import(`../${folder}/rspack.config.ts`, { default: true });
const units = rspack((await Promise.all(listUnitFolders().map(readConfigs))).flat());
/** @type {import('@rspack/core').Configuration} */
const apiConfig = await jiti.import('../api/rspack.config.ts', { default: true });
const api = rspack(apiConfig);

/**
 * The server of the site. It starts when everything is built, and restarts when its own code was built again.
 * @type {import('node:child_process').ChildProcess | undefined}
 */
let server;
/** @type {Promise<unknown>} */
let turn = Promise.resolve();
const built = { units: false, api: false };

for (const compiler of [...units.compilers, api]) compiler.hooks.done.tap('dev', tell);
units.hooks.done.tap('dev', (stats) => {
  built.units ||= !stats.hasErrors();
  if (!isRunning()) inTurn(restart);
});
api.hooks.done.tap('dev', (stats) => {
  built.api ||= !stats.hasErrors();
  if (!stats.hasErrors()) inTurn(restart);
});

// Tells open pages about new builds. They fetch the changes from the site, which reads them from the disk.
const updates = new RspackDevServer(
  {
    host: LOOPBACK,
    port,
    allowedHosts: ['localhost', LOOPBACK],
    client: false,
    static: false,
    setupExitSignals: false,
    devMiddleware: { writeToDisk: true, stats: 'none' },
  },
  units,
);
await updates.start();
const watching = api.watch(api.options.watchOptions, (error) => {
  if (error) throw error;
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    inTurn(stop);
    void Promise.all([turn, updates.stop(), new Promise((resolve) => watching.close(() => resolve(undefined)))]).then(
      () => process.exit(0),
    );
  });
}

/** A port that the system chooses. Two sites that start at once do not get the same one. */
async function freePort() {
  const probe = createServer().listen(0, LOOPBACK);
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}

/** @param {import('@rspack/core').Stats} stats */
function tell(stats) {
  const name = stats.compilation.name;
  console.log(
    stats.hasErrors()
      ? stats.toString({ preset: 'errors-only', colors: process.stdout.isTTY })
      : `Built ${name} in ${(stats.endTime ?? 0) - (stats.startTime ?? 0)} ms`,
  );
}

/** @param {() => Promise<unknown>} action */
function inTurn(action) {
  turn = turn.then(action);
}

async function restart() {
  if (!built.units || !built.api) return;

  await stop();
  server = fork('dist/dev/api/main.js', { stdio: 'inherit' });
  server.on('message', (message) => {
    const { type, baseUrl } = /** @type {{ type: string, baseUrl: string }} */ (message);
    if (type === 'listening') console.log(`Ready on ${baseUrl}`);
  });
}

async function stop() {
  if (server === undefined || !isRunning()) return;

  server.kill('SIGTERM');
  await once(server, 'exit');
}

function isRunning() {
  return server !== undefined && server.exitCode === null && server.signalCode === null;
}
