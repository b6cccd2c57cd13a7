import { spawn, spawnSync, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';

const MAX_ERROR_LINES = 60;

/** Runs a command with its output on this terminal. Rejects when it fails. */
export function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}`));
    });
  });
}

interface OutputOptions {
  isBeside?: boolean;
  /** Where it is printed. */
  output?: NodeJS.WritableStream;
  /** Runs at the lowest priority, beside what must not wait for it. */
  isLowPriority?: boolean;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Called with each piece of output. */
  read?: (text: string) => void;
}

/**
 * Runs a command and prints its output at once; with `isBeside`, prints all of it at the end, so that the outputs of
 * commands that run side by side do not mix.
 * @returns whether it succeeded, and the last lines of its output
 */
export async function runAndKeep(
  command: string,
  args: readonly string[],
  { isBeside = false, output = process.stdout, isLowPriority = false, read, ...options }: OutputOptions = {},
) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  if (isLowPriority && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const written: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      written.push(chunk);
      read?.(chunk.toString());
      if (!isBeside) output.write(chunk);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  const all = Buffer.concat(written);
  if (isBeside) output.write(all);
  return { isOk: code === 0, lastLines: all.toString().trimEnd().split('\n').slice(-MAX_ERROR_LINES) };
}

/** Whether a command exists and succeeds with these arguments. */
export function canRun(command: string, args: readonly string[] = ['--version']): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
