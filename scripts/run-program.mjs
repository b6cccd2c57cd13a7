import { buildOutdated } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { loadEnv } from './load-env.mjs';
import { requireNode } from './node-version.mjs';

/** `node scripts/run-program.mjs ops devices` builds the API if needed and runs its program `ops` in this process. */
requireNode();
loadEnv();
try {
  await ensureInstalled();
  // The build writes to stderr, so that stdout has only JSON with `--json`.
  await buildOutdated(['api'], 2);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const [node = '', , name, ...args] = process.argv;
const program = new URL(`../dist/api/${name}.js`, import.meta.url);
// The program gets only its own arguments, as if Node had started it.
process.argv = [node, program.pathname, ...args];
await import(program.href);
