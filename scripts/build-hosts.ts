import { cpSync } from 'node:fs';
import { resolve } from 'node:path';
import { run } from '../tools/machine/run.ts';
import { unpackPacks } from '../tools/packs/install-packs.ts';

/**
 * node scripts/launch.mjs build-hosts
 * Installs the builders of other teams' hosts and builds the hosts of `e2e/hosts` with them, for the journeys of
 * `other-host`. It needs the registry, so it is a part of the soak and not of `npm test`.
 */
const folder = resolve('dist/.peers/hosts');

cpSync('e2e/hosts', folder, { recursive: true });
// Not `npm ci`, which refuses a lock file without what is for another system and not in the registry.
await run('npm', ['install', '--ignore-scripts'], { cwd: folder });
await unpackPacks(folder);
// Each in a process of its own: the federation's plugins change what others find.
for (const builder of ['webpack', 'webpack-enhanced', 'rspack', 'rsbuild', 'vite'])
  await run(process.execPath, ['builders.mjs', builder], { cwd: folder });
