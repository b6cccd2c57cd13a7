import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

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

/** The same for a command that others run beside: its output comes in one piece, when it has ended. */
export async function runAside(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => written.push(chunk));
  const [code, signal] = await once(child, 'close');
  process.stdout.write(Buffer.concat(written));
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}`);
}

/** Whether a command can be found and started. */
export function canRun(command, args = ['--version']) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
