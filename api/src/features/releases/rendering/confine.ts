import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Bounds {
  /** How much memory a process may use, in MB. Its heap is a third of that. */
  maxMb: number;
  /** How long it may compute, in seconds, also when nobody is there any more to end it. */
  maxSeconds: number;
}

/** No network, and no other process to see or to signal. What is in it ends with `unshare`. */
const NAMESPACES = ['unshare', '--map-root-user', '--net', '--pid', '--fork', '--kill-child'];

/** V8 maps so much for compiled code when it starts, in MB. It counts as data, though next to nothing of it is used. */
const CODE_RANGE_MB = 512;

/** The environment of a confined process: nothing of ours. */
export const EMPTY_ENVIRONMENT = { NODE_ENV: 'production' };

/**
 * Makes the function that gives the command which runs a program of Node confined: it can read nothing but its own file,
 * start nothing and write nothing (Node's permission model). Where the system has util-linux and allows it, it has no
 * network, cannot signal other processes, and its memory and computing time are bounded outside its heap, too.
 */
export function createConfine(program: string, { maxMb, maxSeconds }: Bounds): () => Promise<string[]> {
  const commands = [NAMESPACES, ['prlimit', `--data=${(maxMb + CODE_RANGE_MB) * 1024 * 1024}`, `--cpu=${maxSeconds}`]];
  const working = new Set<string[]>();

  return async () => {
    for (const command of commands) if (!working.has(command) && (await works(command))) working.add(command);
    return [
      ...commands.filter((command) => working.has(command)).flat(),
      process.execPath,
      `--max-old-space-size=${Math.floor(maxMb / 3)}`,
      '--permission',
      `--allow-fs-read=${program}`,
      '--no-warnings',
      program,
    ];
  };
}

/** Whether a command works here. Asked anew where it did not: it may have failed because the machine was busy. */
async function works([command = '', ...args]: readonly string[]): Promise<boolean> {
  try {
    await promisify(execFile)(command, [...args, 'true'], { env: EMPTY_ENVIRONMENT });
    return true;
  } catch {
    return false;
  }
}
