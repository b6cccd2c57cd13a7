import { buildOutdated } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { loadEnv } from './load-env.mjs';
import { requireNode } from './node-version.mjs';

/** Runs one of the programs beside the server, in this process, with its settings and what follows on the command line. */
export async function runProgram(name) {
  requireNode();
  loadEnv();
  try {
    await ensureInstalled();
    // On the error output, so that what `--json` prints stays JSON.
    await buildOutdated(['api'], 2);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }

  await import(new URL(`../dist/api/${name}.js`, import.meta.url));
}
