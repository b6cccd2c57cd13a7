import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const LAST_LINES = 60;

/** Runs a command with its output on this terminal; rejects when it fails. */
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
 * Runs a command and passes its output on, or, where others run beside it, in one piece when it has ended.
 * @returns whether it went well, and the last lines that it wrote
 */
export async function runAndKeep(command, args, { isBeside = false, ...options } = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      written.push(chunk);
      if (!isBeside) process.stdout.write(chunk);
    });
  }
  const [code] = await once(child, 'close');
  const output = Buffer.concat(written);
  if (isBeside) process.stdout.write(output);
  return { isOk: code === 0, lastLines: output.toString().trimEnd().split('\n').slice(-LAST_LINES) };
}

/** Whether a command can be found and started. */
export function canRun(command, args = ['--version']) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
