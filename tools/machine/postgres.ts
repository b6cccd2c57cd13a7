import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dieWithParent } from './die-with-parent.mjs';
import { ensureInstalled } from './ensure-installed.ts';
import { freePort } from './free-port.ts';

const INSTALL_COMMAND = 'apt-get update && apt-get install -y --no-install-recommends postgresql';

/** The folder in which Debian installs each version. */
const VERSIONS_FOLDER = '/usr/lib/postgresql';
/** The folders of Homebrew and of a build from source. */
const PROGRAM_FOLDERS = ['/opt/homebrew/bin', '/usr/local/bin', '/usr/local/pgsql/bin'];

const START_TIMEOUT_MS = 30_000;

/** A PostgreSQL server. Only a server of our own can be crashed. */
export interface Postgres {
  /** Its address, with a user who may create databases. */
  url: string;
  /** Ends it at once, without a last write to the disk, and starts it again. */
  crash?: () => Promise<void>;
}

interface Durability {
  /**
   * Without durable commits it writes nothing to the disk by itself: for tests that end with the server, and would slow
   * down those that wait for the same disk.
   */
  isDurable?: boolean;
}

/** The folder of the server programs of the newest installed PostgreSQL. Undefined when none is installed. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(VERSIONS_FOLDER)
    ? readdirSync(VERSIONS_FOLDER).sort((a, b) => Number(b) - Number(a))
    : [];
  return [...versions.map((version) => join(VERSIONS_FOLDER, version, 'bin')), ...PROGRAM_FOLDERS].find((folder) =>
    existsSync(join(folder, 'initdb')),
  );
}

export function ensurePostgres(): Promise<void> {
  return ensureInstalled({
    need: 'PostgreSQL is needed here',
    isThere: () => postgresPrograms() !== undefined,
    install: INSTALL_COMMAND,
  });
}

/**
 * Starts a new PostgreSQL server with its data in a temporary folder. It listens only on loopback, has a random
 * password and PostgreSQL's default settings, so its commits are durable.
 */
export async function startPostgres({ isDurable = true }: Durability = {}): Promise<
  Postgres & { stop: () => Promise<void> }
> {
  const programs = postgresPrograms();
  if (!programs) throw new Error(`No PostgreSQL was found. Install it: ${INSTALL_COMMAND}`);

  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const data = join(folder, 'data');
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const owner = unprivilegedUser();
  if (owner) for (const path of [folder, data, passwordFile]) chownSync(path, owner.uid, owner.gid);

  const log = join(folder, 'log');
  const as = { ...owner, cwd: folder };
  const how = ['-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--no-locale', '--no-sync'];
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', ...how], { ...as, stdio: 'ignore' });
  const program = join(programs, 'postgres');
  const port = await freePort();

  async function start(): Promise<ChildProcess> {
    const out = openSync(log, 'a');
    const settings = [
      ['-D', data, '-p', String(port)],
      ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`],
      isDurable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'],
    ].flat();
    const server = spawn(...dieWithParent(program, settings, 'QUIT'), { ...as, stdio: ['ignore', out, out] });
    await untilListening(server);
    return server;
  }

  async function untilListening(server: ChildProcess): Promise<void> {
    const pidFile = join(data, 'postmaster.pid');
    const until = Date.now() + START_TIMEOUT_MS;
    // The last line of the pid file is "ready" when the server accepts connections.
    while (!(existsSync(pidFile) && /^ready/m.test(readFileSync(pidFile, 'utf8')) && (await isListening(port)))) {
      if (server.exitCode !== null || Date.now() > until)
        throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`);
      await wait(50);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  }

  let server = await start();
  process.once('exit', () => server.kill('SIGQUIT'));

  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async crash() {
      await end('SIGQUIT');
      server = await start();
    },
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Calls a function with a PostgreSQL server of our own, and stops the server afterwards. When PostgreSQL is not
 * installed, it uses the server that TEST_DATABASE_URL names, which cannot be crashed.
 */
export async function withPostgres<Result>(
  use: (postgres: Postgres) => Promise<Result>,
  options?: Durability,
): Promise<Result> {
  const { TEST_DATABASE_URL } = process.env;
  if (!postgresPrograms() && TEST_DATABASE_URL) return use({ url: TEST_DATABASE_URL });

  await ensurePostgres();
  const postgres = await startPostgres(options);
  try {
    return await use(postgres);
  } finally {
    await postgres.stop();
  }
}

/** The user that runs PostgreSQL: for root the user `postgres` of its package, because it refuses to run as root. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;

  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
