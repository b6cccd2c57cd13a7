import { buildOutdated } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { loadEnv } from './load-env.mjs';
import { requireNode } from './node-version.mjs';

/** `node scripts/run-program.mjs ops devices` runs one of the programs beside the server, in this process, with its settings. */
requireNode();
loadEnv();
try {
  await ensureInstalled();
  // On the error output, so that what `--json` prints stays JSON.
  await buildOutdated(['api'], 2);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const [node = '', , name, ...args] = process.argv;
const program = new URL(`../dist/api/${name}.js`, import.meta.url);
// The program reads its own words, as if Node had started it.
process.argv = [node, program.pathname, ...args];
await import(program.href);
