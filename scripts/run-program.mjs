import { spawn } from 'node:child_process';
import { buildOutdated } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { loadEnv } from './load-env.mjs';
import { requireNode } from './node-version.mjs';

/** Runs one of the programs beside the server, with its settings and what follows on the command line. */
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

  const program = spawn(process.execPath, [`dist/api/${name}.js`, ...process.argv.slice(2)], { stdio: 'inherit' });
  program.on('exit', (code) => process.exit(code ?? 1));
}
