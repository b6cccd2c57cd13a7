import { execFileSync, spawn } from 'node:child_process';
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
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { canRun, run } from './run.mjs';

const INSTALL = 'apt-get update && apt-get install -y --no-install-recommends postgresql';

/** The folder in which Debian installs each version. */
const VERSIONS = '/usr/lib/postgresql';
/** The folders of Homebrew and of a build from source. */
const PLACES = ['/opt/homebrew/bin', '/usr/local/bin', '/usr/local/pgsql/bin'];

const START_TIMEOUT_MS = 30_000;

/**
 * A PostgreSQL server. Only a server of our own can be crashed and paused.
 * @typedef {object} Postgres
 * @property {string} url its address, with a user who may create databases
 * @property {() => Promise<void>} [crash] ends it at once, without a last write to the disk, and starts it again
 * @property {() => void} [pause] suspends all its processes, so that it accepts connections but does not answer
 * @property {() => void} [resume] continues the processes after `pause`
 */

/** The folder of the server programs of the newest installed PostgreSQL. Undefined when none is installed. */
export function postgresPrograms() {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  return [...versions.map((version) => join(VERSIONS, version, 'bin')), ...PLACES].find((folder) =>
    existsSync(join(folder, 'initdb')),
  );
}

/**
 * Makes sure that PostgreSQL is installed. As root on Debian it installs Debian's package. Otherwise it prints how to
 * install it and ends the process.
 */
export async function ensurePostgres() {
  if (postgresPrograms()) return;

  if (canRun('apt-get') && process.getuid?.() === 0) {
    console.log(`Installing PostgreSQL: ${INSTALL}`);
    await run('sh', ['-c', `${INSTALL} >/dev/null`], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  }
  if (postgresPrograms()) return;

  console.error(`PostgreSQL is needed here. Install it, then try again: ${INSTALL}`);
  process.exit(1);
}

/**
 * Starts a new PostgreSQL server with its data in a temporary folder. It listens only on loopback, has a random
 * password and PostgreSQL's default settings, so its commits are durable.
 * @param {{ isDurable?: boolean }} [options] without durable commits it writes nothing to the disk by itself: for tests
 *   that end with the server, and would slow down those that wait for the same disk
 * @returns {Promise<Postgres & { stop: () => Promise<void> }>}
 */
export async function startPostgres({ isDurable = true } = {}) {
  const programs = postgresPrograms();
  if (!programs) throw new Error(`No PostgreSQL was found. Install it: ${INSTALL}`);

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
  execFileSync(
    join(programs, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--no-locale',
      '--no-sync',
    ],
    { ...as, stdio: 'ignore' },
  );
  const program = join(programs, 'postgres');
  const port = await freePort();

  /** @returns {Promise<import('node:child_process').ChildProcess>} */
  async function start() {
    const out = openSync(log, 'a');
    const server = spawn(
      program,
      [
        ['-D', data, '-p', String(port)],
        ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`],
        isDurable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'],
      ].flat(),
      { ...as, stdio: ['ignore', out, out] },
    );
    await untilListening(server);
    return server;
  }

  /** @param {import('node:child_process').ChildProcess} server */
  async function untilListening(server) {
    const pidFile = join(data, 'postmaster.pid');
    const until = Date.now() + START_TIMEOUT_MS;
    // The last line of the pid file is "ready" when the server accepts connections.
    while (!(existsSync(pidFile) && /^ready/m.test(readFileSync(pidFile, 'utf8')) && (await answers(port)))) {
      if (server.exitCode !== null || Date.now() > until)
        throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`);
      await wait(50);
    }
  }

  /** @param {NodeJS.Signals} signal */
  async function end(signal) {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  }

  let server = await start();
  // The server must not outlive this process.
  process.once('exit', () => server.kill('SIGQUIT'));

  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async crash() {
      await end('SIGQUIT');
      server = await start();
    },
    pause: () => signalAll(pidOf(server), 'SIGSTOP'),
    resume: () => signalAll(pidOf(server), 'SIGCONT'),
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {import('node:child_process').ChildProcess} server */
function pidOf({ pid }) {
  if (pid === undefined) throw new Error('PostgreSQL did not start');
  return pid;
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function signalAll(pid, signal) {
  process.kill(pid, signal);
  const children = `/proc/${pid}/task/${pid}/children`;
  for (const child of existsSync(children) ? readFileSync(children, 'utf8').split(' ').filter(Boolean) : [])
    try {
      process.kill(Number(child), signal);
    } catch (error) {
      // It has ended since the list was read, as helpers of PostgreSQL do at any time.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
}

/**
 * Calls a function with a PostgreSQL server of our own, and stops the server afterwards. When PostgreSQL is not
 * installed, it uses the server that TEST_DATABASE_URL names, which cannot be crashed or paused.
 * @template Result
 * @param {(postgres: Postgres) => Promise<Result>} use
 * @param {Parameters<typeof startPostgres>[0]} [options]
 * @returns {Promise<Result>}
 */
export async function withPostgres(use, options) {
  if (!postgresPrograms() && process.env.TEST_DATABASE_URL) return use({ url: process.env.TEST_DATABASE_URL });

  await ensurePostgres();
  const postgres = await startPostgres(options);
  try {
    return await use(postgres);
  } finally {
    await postgres.stop();
  }
}

/** The user that runs PostgreSQL: for root the user `postgres` of its package, because it refuses to run as root. */
export function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined;

  const id = (/** @type {string} */ flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * A port of this machine that nobody listens on.
 * @returns {Promise<number>}
 */
export async function freePort() {
  const server = createServer();
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Whether somebody listens on a port of this machine.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/**
 * `node scripts/postgres.mjs npm test` starts a PostgreSQL server, runs a command with its TEST_DATABASE_URL, and stops
 * it.
 */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command = '', ...args] = process.argv.slice(2);
  try {
    const env = (/** @type {string} */ url) => ({ ...process.env, TEST_DATABASE_URL: url });
    await withPostgres(({ url }) => run(command, args, { env: env(url) }), { isDurable: false });
  } catch {
    process.exitCode = 1;
  }
}
