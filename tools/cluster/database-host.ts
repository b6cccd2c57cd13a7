import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { dieWithParent } from '../machine/die-with-parent.mjs';
import { isListening, postgresPrograms, unprivilegedUser } from '../machine/postgres.ts';
import { queryPostgres } from '../machine/query-postgres.ts';
import { freePort } from '../machine/free-port.ts';

const runFile = promisify(execFile);

const START_TIMEOUT_MS = 30_000;
/** The settings that operators install. */
const SETTINGS_FILE = 'deploy/postgresql/site.conf';
/** Who may connect, with the network that operators replace by their own. */
const ACCESS_FILE = 'deploy/postgresql/pg_hba.conf';
const SHIPPED_NETWORK = '10.0.0.0/24';

/** The passwords of the users, as in `~/.pgpass`. */
export interface Passwords {
  postgres: string;
  replicator: string;
  site: string;
}

export type DatabaseHost = Awaited<ReturnType<typeof createDatabaseHost>>;

/**
 * One PostgreSQL of the cluster, which is a process of this machine. It has no data before `initialise` or `copyFrom`.
 * @param folder the folder of the whole cluster, which the user of PostgreSQL may enter
 * @param name its name among the standbys that confirm a commit
 */
export async function createDatabaseHost(folder: string, name: string, passwords: Passwords) {
  const programs = postgresPrograms() ?? '';
  const owner = unprivilegedUser();
  const own = join(folder, name);
  const data = join(own, 'data');
  const settings = join(own, 'site.conf');
  const access = join(own, 'pg_hba.conf');
  const passFile = join(own, 'pgpass');
  mkdirSync(own, { mode: 0o700 });
  copyFileSync(SETTINGS_FILE, settings);
  writeFileSync(access, readFileSync(ACCESS_FILE, 'utf8').replaceAll(SHIPPED_NETWORK, '127.0.0.1/32'));
  const lines = Object.entries(passwords).map(([user, word]) => `*:*:*:${user}:${word}\n`);
  writeFileSync(passFile, lines.join(''), { mode: 0o600 });
  if (owner) for (const path of [own, settings, access, passFile]) chownSync(path, owner.uid, owner.gid);

  const as = { ...owner, cwd: own, env: { PATH: process.env['PATH'], PGPASSFILE: passFile } };
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const log = join(own, 'log');
  let server: ChildProcess | undefined;
  process.once('exit', () => server?.kill('SIGQUIT'));

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;

    const gone = once(server, 'exit');
    server.kill(signal);
    await gone;
  }

  return {
    name,
    address,
    passFile,

    async initialise(): Promise<void> {
      const passwordFile = join(own, 'password');
      writeFileSync(passwordFile, passwords.postgres, { mode: 0o600 });
      if (owner) chownSync(passwordFile, owner.uid, owner.gid);
      const how = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--no-locale'];
      await runFile(join(programs, 'initdb'), ['-D', data, ...how], as);
    },

    /** Makes this host a standby of another one, as `docs/deploy.md` says. What it had is gone. */
    async copyFrom(primary: { address: string }): Promise<void> {
      rmSync(data, { recursive: true, force: true });
      const [host = '', port = ''] = primary.address.split(':');
      const from = ['-h', host, '-p', port, '-U', 'replicator', '-w'];
      await runFile(join(programs, 'pg_basebackup'), ['-D', data, ...from, '-R', '-X', 'stream', '-c', 'fast'], as);
    },

    /** @param isStandby whether it becomes a standby with the data that it has; a copy is one without that */
    async start({ isStandby = false } = {}): Promise<void> {
      rmSync(join(data, 'postmaster.pid'), { force: true });
      if (isStandby) writeFileSync(join(data, 'standby.signal'), '');
      const out = openSync(log, 'a');
      const place = { port, listen_addresses: '127.0.0.1', unix_socket_directories: own };
      const set = Object.entries({ ...place, cluster_name: name, hba_file: access }).flatMap(([key, value]) => [
        '-c',
        `${key}=${value}`,
      ]);
      // A copy has the line of its primary, which names another file.
      const config = join(data, 'postgresql.conf');
      const lines = readFileSync(config, 'utf8').replace(/^include .*\n/gm, '');
      writeFileSync(config, `${lines}include '${settings}'\n`);
      const command = dieWithParent(join(programs, 'postgres'), ['-D', data, ...set], 'QUIT');
      const started = spawn(...command, { ...as, stdio: ['ignore', out, out] });
      server = started;
      const until = Date.now() + START_TIMEOUT_MS;
      const pidFile = join(data, 'postmaster.pid');
      // The last line of this file says when connections are taken, by a primary or a standby.
      while (!(
        existsSync(pidFile) &&
        /^(ready|standby)/m.test(readFileSync(pidFile, 'utf8')) &&
        (await isListening(port))
      )) {
        if (started.exitCode !== null || Date.now() > until)
          throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8').slice(-4000)}`);
        await wait(50);
      }
    },

    /** Ends all its processes at once, without a last word to anybody. */
    kill: () => end('SIGQUIT'),
    stop: () => end('SIGINT'),

    /**
     * Asks as the superuser, who may enter `postgres` alone from afar, or else as the owner of the site's databases. The
     * caller has to know the columns.
     * @param isConfirmed whether a standby has to confirm what is written
     */
    query<Row>(sql: string, { database = 'postgres', isConfirmed = true } = {}): Promise<Row[]> {
      const user = database === 'postgres' ? 'postgres' : 'site';
      const connectionString = `postgres://${user}:${passwords[user]}@${address}/${database}${isConfirmed ? '' : '?options=-c%20synchronous_commit%3Dlocal'}`;
      return queryPostgres(connectionString, sql);
    },

    said: () => readFileSync(log, 'utf8'),
  };
}
