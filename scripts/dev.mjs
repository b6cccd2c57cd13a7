import { fork } from 'node:child_process';
import { once } from 'node:events';
import { ensureInstalled } from './install.mjs';
import { loadEnv } from './load-env.mjs';
import { requireNode } from './node-version.mjs';

requireNode();
loadEnv();
await ensureInstalled();

const { createJiti } = await import('jiti');
const { rspack } = await import('@rspack/core');

const jiti = createJiti(import.meta.url);
const folders = ['shell', 'remotes/marketing', 'remotes/companion', 'remotes/key-system', 'remotes/tools', 'api'];
const configs = await Promise.all(folders.map((folder) => jiti.import(`../${folder}/rspack.config.ts`, { default: true })));

let server;
let restarting = Promise.resolve();

// Every unit is watched by one compiler; after each build the server starts again and reads the new releases.
const compiler = rspack(configs);
const watching = compiler.watch({}, (error, stats) => {
  if (error) throw error;
  console.log(stats.toString({ preset: 'errors-warnings', colors: true }) || 'Built');
  if (!stats.hasErrors()) restarting = restarting.then(restart);
});

async function restart() {
  await stop();
  server = fork('dist/api/main.js', { stdio: 'inherit' });
  server.on('message', ({ baseUrl }) => console.log(`Ready on ${baseUrl}`));
}

async function stop() {
  if (!server || server.exitCode !== null) return;

  server.kill('SIGTERM');
  await once(server, 'exit');
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => watching.close(() => void stop().then(() => process.exit(0))));
}
