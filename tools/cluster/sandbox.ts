import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** The pause before a program that has ended by itself is started again, as systemd does. */
const RESTART_MS = 1000;
const POLL_MS = 10;

/** What a program sees besides the programs of the system, by the path that it has on a host of its own. */
interface View {
  /** The name of the host. */
  name: string;
  files: Record<string, string>;
  /** The folders in which it writes. */
  data: Record<string, string>;
  env: Record<string, string>;
  owner?: { uid: number; gid: number } | undefined;
}

/**
 * The command that runs a program as on a host of its own: its files are where they are there, its processes and the memory
 * that they share end with it, and what it starts ends with the process that runs this command. The network is that of the
 * machine.
 * @param disk what is written into the folder of this path is kept in memory, of which there are so many bytes
 */
export function inSandbox(
  { name, files, data, env, owner }: View,
  command: readonly string[],
  disk?: { path: string; bytes: number },
): [string, string[]] {
  const bind = (how: string, paths: Record<string, string>) =>
    Object.entries(paths).flatMap(([path, source]) => [how, source, path]);
  const words = [
    ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--hostname', name, '--die-with-parent'],
    ['--ro-bind', '/usr', '/usr', '--proc', '/proc', '--dev', '/dev'],
    ['bin', 'lib', 'lib64', 'sbin'].flatMap((each) => ['--symlink', `usr/${each}`, `/${each}`]),
    ['/etc', '/opt', '/run', '/var', '/var/lib'].flatMap((path) => ['--perms', '0755', '--dir', path]),
    ['--symlink', '/run', '/var/run'],
    ['/tmp', '/dev/shm', '/run/postgresql'].flatMap((path) => ['--perms', '1777', '--tmpfs', path]),
    bind('--ro-bind', { '/etc/passwd': '/etc/passwd', '/etc/group': '/etc/group', ...files }),
    bind('--bind', data),
    disk ? ['--size', String(disk.bytes), '--perms', '0777', '--tmpfs', disk.path] : [],
    ['--clearenv', ...Object.entries(env).flatMap(([key, value]) => ['--setenv', key, value])],
    owner ? ['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID'] : [],
    ['--', ...(owner ? ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups', '--'] : [])],
  ];
  return ['bwrap', [...words.flat(), ...command]];
}

/** A program that is started, frozen and killed together with all that it starts. */
export function createSandbox(view: View, command: readonly string[], log: string) {
  let child: ChildProcess | undefined;
  let disk: { path: string; bytes: number } | undefined;

  /** The first process below `bwrap` reaps those that lose their parent, which Patroni waits for. */
  const first = () => childrenOf(child?.pid)[0];
  const own = () => childrenOf(first())[0];
  const all = () => descendantsOf(first());

  function launch(): void {
    const out = openSync(log, 'a');
    const started = spawn(...inSandbox(view, command, disk), { stdio: ['ignore', out, out] });
    child = started;
    started.once('exit', () => {
      if (child === started) setTimeout(() => child === started && launch(), RESTART_MS).unref();
    });
  }

  return {
    start(onDisk?: typeof disk): void {
      disk = onDisk;
      launch();
    },

    /** Ends all its processes at once, like a power failure. */
    async kill(): Promise<void> {
      const ending = child;
      child = undefined;
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
      const gone = once(ending, 'exit');
      const [inner] = childrenOf(ending.pid);
      if (inner) process.kill(inner, 'SIGKILL');
      else ending.kill('SIGKILL');
      await gone;
    },

    /** Stops all its processes where they are, or just its own one and none that it has started. */
    async freeze(which: 'all' | 'own' = 'all'): Promise<void> {
      const pids = () => (which === 'all' ? all() : [own()].filter((pid) => pid !== undefined));
      for (;;) {
        const running = pids().filter((pid) => !isStopped(pid));
        if (running.length === 0) return;
        for (const pid of running) signal(pid, 'SIGSTOP');
        await wait(POLL_MS);
      }
    },
    wake(): void {
      for (const pid of all()) signal(pid, 'SIGCONT');
    },

    /** The path on this machine of a file that it sees. */
    pathOf: (path: string) => `/proc/${own()}/root${path}`,
    pid: own,
    said: () => readFileSync(log, 'utf8'),
  };
}

function childrenOf(pid: number | undefined): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    // It has ended.
    return [];
  }
}

function descendantsOf(pid: number | undefined): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Whether a process is stopped, or has ended. */
function isStopped(pid: number): boolean {
  try {
    return /\) [TZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
