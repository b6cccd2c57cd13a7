import { cpSync } from 'node:fs';
import { resolve } from 'node:path';
import { run } from '../tools/machine/run.ts';

/**
 * node scripts/launch.mjs install-remotes
 * Installs the builders of `e2e/remotes`, for the journeys of `other-builders`. It needs the registry, so it is a part of the
 * soak and not of `npm test`, which plays Rspack's alone.
 */
const folder = resolve('dist/.peers/remotes');
cpSync('e2e/remotes/package.json', `${folder}/package.json`);
await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
