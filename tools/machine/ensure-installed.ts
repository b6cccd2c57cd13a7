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

/** Debian's packages, each with what it is for and a command that succeeds where it is installed. */
const PACKAGES = {
  bubblewrap: ['The renderer of pages', 'bwrap', '--unshare-all', '--ro-bind', '/', '/', 'true'],
  haproxy: ['The cluster', '/usr/sbin/haproxy', '-v'],
  'nginx-light': ['The cluster', 'nginx', '-v'],
  pgbackrest: ['The cluster', 'pgbackrest', 'version'],
  pgbouncer: ['The cluster', '/usr/sbin/pgbouncer', '--version'],
} as const;

export async function ensurePackages(...names: (keyof typeof PACKAGES)[]): Promise<void> {
  for (const name of names) {
    const [user, command, ...args] = PACKAGES[name];
    await ensureInstalled({
      need: `${user} needs ${name}`,
      isThere: () => canRun(command, args),
      install: `apt-get update && apt-get install -y --no-install-recommends ${name}`,
    });
  }
}

/** Patroni and etcd of Debian 13, beside the system. Returns the folder in which they are unpacked. */
export async function ensurePatroni(): Promise<string> {
  const folder = 'dist/.peers/patroni';
  const ofDebian13 = ['patroni', 'etcd-server', 'etcd-client', 'python3-ydiff'].map((name) => `${name}/trixie`);
  const names = 'psycopg2 yaml urllib3 dateutil prettytable psutil click six wcwidth etcd dnspython';
  const libraries = names.split(' ').map((name) => `python3-${name}`);
  await ensureInstalled({
    need: 'The cluster needs Patroni 4.0.7 and etcd 3.5, which Debian 13 has',
    isThere: () => existsSync(folder),
    install: `sh tools/machine/fetch-debs.sh ${folder} ${[...ofDebian13, ...libraries].join(' ')}`,
  });
  return folder;
}
