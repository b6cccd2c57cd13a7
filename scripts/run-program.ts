import { buildOutdated } from '../tools/units/build-units.ts';
import { ensureInstalled } from './install.ts';
import { loadEnv } from '../tools/machine/load-env.ts';
import { runNewRemote } from '../tools/units/new-remote.ts';

/** `node scripts/launch.mjs run-program ops devices` builds the API if needed and runs its program `ops` in this process. */
const [node = '', , name, ...args] = process.argv;
// What stands in a named file takes the place of `.env`.
if (!args.some((word) => /^--env-file(=|$)/.test(word))) loadEnv();
try {
  // It works on the working copy, and needs neither the API nor a database, but tools of development.
  if (name === 'release' && args[0] === 'new') {
    await ensureInstalled(true);
    await runNewRemote(args.slice(1));
    process.exit();
  }
  // The build writes to stderr, so that stdout has only JSON with `--json`.
  await buildOutdated(['api'], process.stderr);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const program = new URL(`../dist/api/${name}.js`, import.meta.url);
// The program gets only its own arguments, as if Node had started it.
process.argv = [node, program.pathname, ...args];
await import(program.href);
