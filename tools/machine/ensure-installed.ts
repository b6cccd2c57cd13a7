import { existsSync } from 'node:fs';
import { canRun, run } from './run.ts';

interface Program {
  /** What needs it, and what it is, as the beginning of a sentence: `The cluster needs nginx`. */
  need: string;
  isThere: () => boolean;
  /** The command of a shell that installs it on Debian. */
  install: string;
}

/** Makes sure that a program is installed. As root on Debian it installs it; else it says how, and ends the process. */
export async function ensureInstalled({ need, isThere, install }: Program): Promise<void> {
  if (isThere()) return;

  if (canRun('apt-get') && process.getuid?.() === 0) {
    console.log(`${need}: ${install}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('sh', ['-c', `(${install}) >/dev/null`], { env }).catch(() => console.log('It could not be installed.'));
  }
  if (isThere()) return;

  console.error(`${need}. Install it, then try again: ${install}`);
  process.exit(1);
}

export function ensureNginx(): Promise<void> {
  return ensureInstalled({
    need: 'The cluster needs nginx',
    isThere: () => canRun('nginx', ['-v']),
    install: 'apt-get update && apt-get install -y --no-install-recommends nginx-light',
  });
}

export function ensureHaproxy(): Promise<void> {
  return ensureInstalled({
    need: 'The cluster needs HAProxy',
    isThere: () => canRun('/usr/sbin/haproxy', ['-v']),
    install: 'apt-get update && apt-get install -y --no-install-recommends haproxy',
  });
}

export function ensurePgbouncer(): Promise<void> {
  return ensureInstalled({
    need: 'The cluster needs PgBouncer',
    isThere: () => canRun('/usr/sbin/pgbouncer', ['--version']),
    install: 'apt-get update && apt-get install -y --no-install-recommends pgbouncer',
  });
}

/** Patroni and etcd of Debian 13, beside the system. Returns the folder in which they are unpacked. */
export async function ensurePatroni(): Promise<string> {
  const folder = 'dist/.peers/patroni';
  await ensureInstalled({
    need: 'The cluster needs Patroni 4.0.7 and etcd 3.5, which Debian 13 has',
    isThere: () => existsSync(folder),
    install: `sh tools/machine/fetch-patroni.sh ${folder}`,
  });
  return folder;
}

/** In production nothing is rendered without it. */
export function ensureBubblewrap(): Promise<void> {
  return ensureInstalled({
    need: 'The renderer of pages needs bubblewrap',
    isThere: () => canRun('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']),
    install: 'apt-get update && apt-get install -y --no-install-recommends bubblewrap',
  });
}
