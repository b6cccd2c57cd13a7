import { existsSync, readdirSync } from 'node:fs';
import { run } from './run.mjs';

/** Every folder with a tsconfig.json of its own; each says which world its code lives in. */
const projects = [
  '.',
  'scripts/bench/one-bundle',
  'shell',
  'api',
  'e2e',
  ...foldersIn('remotes'),
  ...foldersIn('shared'),
].filter((folder) => existsSync(`${folder}/tsconfig.json`));

const queue = [...projects];
const failed: string[] = [];

// Two at a time: the machines this runs on have two cores.
await Promise.all([worker(), worker()]);
if (failed.length > 0) {
  console.error(`Types do not hold in: ${failed.join(', ')}`);
  process.exit(1);
}

async function worker(): Promise<void> {
  for (let project = queue.shift(); project; project = queue.shift()) {
    await run('node_modules/.bin/tsc', ['-p', project]).catch(() => void failed.push(project));
  }
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder).map((name) => `${folder}/${name}`);
}
