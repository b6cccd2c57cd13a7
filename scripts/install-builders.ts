import { cpSync } from 'node:fs';
import { resolve } from 'node:path';
import { run } from '../tools/machine/run.ts';
import { unpackPacks } from '../tools/packs/install-packs.ts';

/**
 * node scripts/launch.mjs install-builders
 * Installs the builders of other teams: those of `e2e/remotes`, and those of the hosts of `e2e/hosts`, which it builds with
 * them. It needs the registry, so it is a part of the soak and not of `npm test`, which plays Rspack's remote alone.
 */
const hosts = resolve('dist/.peers/hosts');
const remotes = resolve('dist/.peers/remotes');

cpSync('e2e/hosts', hosts, { recursive: true });
cpSync('e2e/remotes/package.json', `${remotes}/package.json`);
// Not `npm ci`, which refuses a lock file without what is for another system and not in the registry.
for (const cwd of [hosts, remotes])
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd });
await unpackPacks(hosts);
// Each in a process of its own: the federation's plugins change what others find.
for (const builder of ['webpack', 'webpack-enhanced', 'rspack', 'rsbuild', 'vite'])
  await run(process.execPath, ['builders.mjs', builder], { cwd: hosts });
