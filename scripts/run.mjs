import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';

const LAST_LINES = 60;

/**
 * Runs a command with its output on this terminal. Rejects when it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<void>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(undefined);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}`));
    });
  });
}

/**
 * Runs a command and prints its output at once; with `isBeside`, prints all of it at the end, so that the outputs of
 * commands that run side by side do not mix.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ isBeside?: boolean, isPatient?: boolean, env?: NodeJS.ProcessEnv }} [options] a patient one computes only
 *   while nobody else wants to
 * @returns whether it succeeded, and the last lines of its output
 */
export async function runAndKeep(command, args, { isBeside = false, isPatient = false, ...options } = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  if (isPatient && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  /** @type {Buffer[]} */
  const written = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (/** @type {Buffer} */ chunk) => {
      written.push(chunk);
      if (!isBeside) process.stdout.write(chunk);
    });
  }
  const [code] = /** @type {[number | null]} */ (await once(child, 'close'));
  const output = Buffer.concat(written);
  if (isBeside) process.stdout.write(output);
  return { isOk: code === 0, lastLines: output.toString().trimEnd().split('\n').slice(-LAST_LINES) };
}

/**
 * Whether a command exists and succeeds with these arguments.
 * @param {string} command
 */
export function canRun(command, args = ['--version']) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
