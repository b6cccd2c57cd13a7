import { fork, type ChildProcess } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { rspack, type Configuration, type Stats } from '@rspack/core';
import { RspackDevServer } from '@rspack/dev-server';
import { createErrorsAnswer, ERRORS_PATH } from '../tools/against/name-sources.ts';
import { runAgainst } from '../tools/against/dev-against.ts';
import { loadEnv } from '../tools/machine/load-env.ts';
import { listUnitFolders } from '../tools/build/units.ts';
import { freePort } from '../tools/machine/free-port.ts';

const LOOPBACK = '127.0.0.1';

loadEnv();
if (process.argv.length > 2) process.exit(await runAgainst(process.argv.slice(2)));

// Both the build and the server read this address. Over it, open pages are told about new builds.
const port = await freePort();
process.env.DEV_UPDATES_URL = `ws://${LOOPBACK}:${port}`;
rmSync('dist/dev', { recursive: true, force: true });

const units = rspack(
  (await Promise.all(listUnitFolders().map((folder) => readConfig<Configuration[]>(folder)))).flat(),
);
const api = rspack(await readConfig<Configuration>('api'));

/** The server of the site. It starts when everything is built, and restarts when its own code was built again. */
let server: ChildProcess | undefined;
let turn: Promise<unknown> = Promise.resolve();
const built = { units: false, api: false };
let hasListened = false;

for (const compiler of [...units.compilers, api]) compiler.hooks.done.tap('dev', tell);
units.hooks.done.tap('dev', (stats) => {
  built.units ||= !stats.hasErrors();
  if (!isRunning()) inTurn(restart);
});
api.hooks.done.tap('dev', (stats) => {
  built.api ||= !stats.hasErrors();
  if (!stats.hasErrors()) inTurn(restart);
});

const answer = createErrorsAnswer((path) => {
  const [, unit] = /^\/releases\/([\w-]+)(?:\/(?!\.)[\w.-]+){2,}$/.exec(path) ?? [];
  const { context } = units.compilers.find(({ name }) => name === unit) ?? {};
  return context === undefined ? undefined : { map: `dist/dev${path.slice('/releases'.length)}.map`, context };
}, console.log);

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
    setupMiddlewares: (middlewares) => [
      { name: 'errors', path: ERRORS_PATH, middleware: answerErrors },
      ...middlewares,
    ],
  },
  units,
);
await updates.start();
const watching = api.watch(api.options.watchOptions, (error) => {
  if (error) throw error;
});

/** Names the sources of what a page of the site has thrown. Other pages, which could read them so, are refused. */
function answerErrors(req: IncomingMessage, res: ServerResponse): void {
  const { origin = '' } = req.headers;
  if (!/^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(origin)) return void res.writeHead(403).end();
  // A page that is gone needs no answer.
  answer(req, res.setHeader('access-control-allow-origin', origin)).catch(() => res.destroy());
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    inTurn(stop);
    void Promise.all([turn, updates.stop(), new Promise<void>((resolve) => watching.close(() => resolve()))]).then(() =>
      process.exit(0),
    );
  });
}

/** Only now, because the configurations read the address of the updates. */
async function readConfig<Read>(folder: string): Promise<Read> {
  const { default: config } = (await import(`../${folder}/rspack.config.ts`)) as { default: Read };
  return config;
}

function tell(stats: Stats): void {
  const name = stats.compilation.name;
  console.log(
    stats.hasErrors()
      ? stats.toString({ preset: 'errors-only', colors: process.stdout.isTTY })
      : `Built ${name} in ${(stats.endTime ?? 0) - (stats.startTime ?? 0)} ms`,
  );
}

function inTurn(action: () => Promise<unknown>): void {
  turn = turn.then(action);
}

async function restart(): Promise<void> {
  if (!built.units || !built.api) return;

  await stop();
  server = fork('dist/dev/api/main.js', { stdio: 'inherit' });
  server.on('message', (message) => {
    const { type, baseUrl } = message as { type: string; baseUrl: string };
    if (type !== 'listening') return;
    hasListened = true;
    console.log(`Ready on ${baseUrl}`);
  });
  // No edit mends a port that is taken, or a wrong setting. A server that fails later waits for the next edit.
  server.once('exit', (code) => code && !hasListened && process.exit(code));
}

async function stop(): Promise<void> {
  if (server === undefined || !isRunning()) return;

  server.kill('SIGTERM');
  await once(server, 'exit');
}

function isRunning(): boolean {
  return server !== undefined && server.exitCode === null && server.signalCode === null;
}
