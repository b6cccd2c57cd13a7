import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';

interface Bounds {
  /** How much memory a process may use, in MB. Its heap is a third of that. */
  maxMb: number;
  /** How long it may compute, in seconds. It holds also when the server that would end it has died. */
  maxSeconds: number;
}

/** How much V8 maps for compiled code when it starts, in MB. It counts as data, though hardly any of it is used. */
const CODE_RANGE_MB = 512;

/**
 * Visitors come first: on a busy machine, a server gets three times as much of a core. At the lowest priority nothing
 * would finish in time.
 */
const YIELDING = ['nice', '-n', '5'];

/** The environment of a process that renders: no variable of the server. */
export const EMPTY_ENVIRONMENT = { NODE_ENV: 'production' };

export interface Confinement {
  command: string[];
  /** Whether the system enforces the bounds. Otherwise only Node's permission model does, which forbids no sockets. */
  isEnforced: boolean;
}

/**
 * Makes the function that gives the command for running a program of Node confined. Bubblewrap gives it namespaces of
 * its own: it sees only Node and its libraries, without a network, other processes or sockets of the file system.
 * `prlimit` bounds its memory and computing time. Beneath that, Node's permission model lets it read its own file
 * alone, write nothing and start nothing.
 */
export function createConfine(program: string, { maxMb, maxSeconds }: Bounds): () => Promise<Confinement> {
  // The code that runs there learns neither where the site lies nor the name of its machine.
  const inside = `/${basename(program)}`;
  const enforced = [
    ...['prlimit', `--data=${(maxMb + CODE_RANGE_MB) * 1024 * 1024}`, `--cpu=${maxSeconds}`],
    ...['bwrap', '--unshare-user', '--unshare-all', '--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL'],
    ...['--hostname', 'localhost', '--die-with-parent', '--new-session', '--chdir', '/'],
    ...[...listLibraries(), process.execPath].flatMap((path) => ['--ro-bind', path, path]),
    ...['--ro-bind', program, inside],
    ...['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache', '--remount-ro', '/'],
  ];
  const node = (path: string) => [
    process.execPath,
    `--max-old-space-size=${Math.floor(maxMb / 3)}`,
    // The modules that an entry imports are run in this process, from the order.
    ...['--experimental-vm-modules', '--permission', `--allow-fs-read=${path}`, '--no-warnings', path],
  ];
  let isEnforced = false;

  return async () => {
    // Checked again after a failure: the machine may have been busy, and a package can be installed at any time.
    isEnforced ||= await works([...enforced, process.execPath, '--version']);
    return { command: [...YIELDING, ...(isEnforced ? [...enforced, ...node(inside)] : node(program))], isEnforced };
  };
}

function listLibraries(): string[] {
  // Without host names, which would be looked up.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { sharedObjects } = report.getReport() as { sharedObjects?: string[] };
  return (sharedObjects ?? []).filter((path) => path.startsWith('/'));
}

async function works([command = '', ...args]: readonly string[]): Promise<boolean> {
  try {
    await promisify(execFile)(command, args, { env: EMPTY_ENVIRONMENT });
    return true;
  } catch {
    return false;
  }
}
