import { chownSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { postgresPrograms, unprivilegedUser } from '../machine/postgres.ts';
import { queryPostgres } from '../machine/query-postgres.ts';
import { openLines } from './database-line.ts';
import { createSandbox, inSandbox } from './sandbox.ts';

/** What operators install on each host. */
export const HOST_FILES = 'deploy/patroni';
/** What in them is different on this machine, which has all hosts: their addresses, their network, and the version. */
const ANY_ADDRESS = '0.0.0.0:';
const SHIPPED_NETWORK = '10.0.0.0/24';
const SHIPPED_PROGRAMS = '/usr/lib/postgresql/17/bin';

const CONFIG = '/etc/patroni';
const DATA = '/var/lib/postgresql';
const UNPACKED = '/opt/patroni';
const ASK_TIMEOUT_MS = 2000;

export type DatabaseHost = Awaited<ReturnType<typeof createDatabaseHost>>;

/**
 * One host of the database, with PostgreSQL, Patroni and etcd.
 * @param folder the folder of the cluster, which the user of PostgreSQL may enter
 * @param addresses the addresses of all hosts by their names
 * @param unpacked the folder with the programs
 */
export async function createDatabaseHost(
  name: string,
  { folder, addresses, unpacked }: { folder: string; addresses: Record<string, string>; unpacked: string },
) {
  const address = addresses[name] ?? '';
  const own = join(folder, name);
  const secrets = join(folder, 'secrets');
  const [config, data, etcdData] = [join(own, 'etc'), join(own, 'postgresql'), join(own, 'etcd')];
  /** The disk of another machine. */
  const backups = join(folder, 'backups');
  const ca = readFileSync(join(secrets, 'ca.crt'));
  const passwords = readSettings(readFileSync(join(secrets, 'passwords.env'), 'utf8'));
  const programs = postgresPrograms() ?? '';
  const owner = unprivilegedUser();
  const read = (file: string) => readFileSync(join(HOST_FILES, file), 'utf8').replaceAll(ANY_ADDRESS, `${address}:`);

  for (const path of [own, config, data, etcdData, backups]) mkdirSync(path, { mode: 0o700, recursive: true });
  for (const file of readdirSync(join(secrets, name))) copyFileSync(join(secrets, name, file), join(config, file));
  copyFileSync(join(HOST_FILES, 'create-site.sh'), join(config, 'create-site.sh'));
  const settings = read('patroni.yml')
    .replaceAll(SHIPPED_NETWORK, '127.0.0.0/8')
    .replaceAll(SHIPPED_PROGRAMS, programs);
  writeFileSync(join(config, 'config.yml'), settings);
  const lines = Object.entries(addresses).map(([each, its]) => `${its} ${each}\n`);
  writeFileSync(join(config, 'hosts'), lines.join(''));
  if (owner)
    for (const path of [own, config, data, etcdData, backups, ...readdirSync(config).map((file) => join(config, file))])
      chownSync(path, owner.uid, owner.gid);

  /** What systemd gives a program by a unit. */
  const settingsOf = (unit: string) =>
    readSettings(
      read(unit)
        .replaceAll(/^Environment=/gm, '')
        .replaceAll('%H', name)
        .replaceAll('%d', CONFIG),
    );
  const etcdLines = await openLines(Object.values(addresses).map((each) => `${each}:2379`));
  const view = {
    name,
    owner,
    files: { '/etc/hosts': join(config, 'hosts'), [CONFIG]: config, [UNPACKED]: unpacked },
    data: { [DATA]: data, '/var/lib/etcd': etcdData, '/backups': backups },
    env: {
      PATH: `${programs}:/usr/bin:/bin`,
      PYTHONPATH: `${UNPACKED}/usr/lib/python3/dist-packages`,
      ...settingsOf('patroni.conf'),
      ...passwords,
      PGBACKREST_CONFIG: `${CONFIG}/pgbackrest.conf`,
      // Patroni would ask etcd where its members are, and go past the lines.
      PATRONI_ETCD3_HOSTS: etcdLines.addresses.join(),
      PATRONI_ETCD3_USE_PROXIES: 'true',
    },
  };
  const command = (program: string) => [
    '/usr/bin/python3',
    // Without the libraries of the system, which may be there by halves.
    '-S',
    `${UNPACKED}/usr/bin/${program}`,
    ...(program === 'patronictl' ? ['-c'] : []),
    `${CONFIG}/config.yml`,
  ];
  const patroni = createSandbox(view, command('patroni'), join(folder, `${name}-patroni.log`));
  const etcd = createSandbox(
    { ...view, env: settingsOf('etcd.conf') },
    [`${UNPACKED}/usr/bin/etcd`],
    join(folder, `${name}-etcd.log`),
  );
  const urlOf = (user: string, password = '') =>
    `postgres://${user}:${password}@${address}:5432/${user}?sslmode=no-verify`;

  return {
    name,
    address,
    etcdLines,
    patroni,
    etcd,
    patronictl: inSandbox(view, command('patronictl')),
    /** Writes a file beside Patroni's own. */
    configure: (file: string, text: string) => writeFileSync(join(config, file), text),
    /** The command that runs a line of a shell as the user of PostgreSQL, beside Patroni. */
    shell: (line: string): [string, string[]] => [
      'nsenter',
      [
        ['--target', String(patroni.pid()), '--mount', '--pid', '--ipc', '--uts'],
        ['env', '-i', ...Object.entries(view.env).map(([key, value]) => `${key}=${value}`)],
        ['setpriv', `--reuid=${owner?.uid}`, `--regid=${owner?.gid}`, '--clear-groups', 'sh', '-ec', line],
      ].flat(),
    ],
    /** The address for a client that the host takes for a server. */
    siteUrl: urlOf('site', passwords['SITE_PASSWORD']),

    start(): void {
      etcd.start();
      patroni.start();
    },
    /** Puts all of Patroni and PostgreSQL on a small disk, which has none of their data. */
    startOnSmallDisk: (bytes: number) => patroni.start({ path: DATA, bytes }),
    /** Ends the whole host. */
    kill: async (): Promise<void> => void (await Promise.all([patroni.kill(), etcd.kill()])),

    /** Asks PostgreSQL as the superuser. The caller has to know the columns. */
    query: <Row>(sql: string): Promise<Row[]> =>
      queryPostgres(urlOf('postgres', passwords['PATRONI_SUPERUSER_PASSWORD']), sql),

    isPrimary: async (): Promise<boolean> => {
      const url = urlOf('postgres', passwords['PATRONI_SUPERUSER_PASSWORD']);
      const [row] = await queryPostgres<{ is: boolean }>(url, 'select not pg_is_in_recovery() as is');
      return row?.is ?? false;
    },

    /** Asks Patroni. The caller has to know the answer. */
    ask: <Answer>(path: string): Promise<Answer> =>
      new Promise((answer, refuse) => {
        const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
        get({ host: address, port: 8008, path, ca, servername: name, signal }, (response) => {
          text(response)
            .then((body) => answer(JSON.parse(body) as Answer))
            .catch(refuse);
        }).on('error', refuse);
      }),
  };
}

/** Reads lines such as `NAME=value`. */
function readSettings(lines: string): Record<string, string> {
  const found = [...lines.matchAll(/^([A-Z][A-Z0-9_]+)=(.*)$/gm)];
  return Object.fromEntries(found.map(([, key = '', value = '']) => [key, value]));
}
