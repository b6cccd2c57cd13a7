import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forkServer } from './fork-server.ts';

const START_TRIES = 5;

export type Settings = Record<string, string>;

export type Server = ReturnType<typeof createServer>;

/**
 * The built server as a process with its own data. It can be killed and started again at the same address.
 * @param root the folder of the sources whose build is started
 * @param node the program that runs it
 * @param folder the folder of its data and its log
 * @param settings environment variables for every start
 * @param limits numbers of the key system that differ from the defaults
 * @param preload a file that every start loads before the server's own code
 */
export function createServer({
  root = '.',
  node = process.execPath,
  folder,
  settings,
  limits,
  preload,
}: {
  root?: string | undefined;
  node?: string | undefined;
  folder: string;
  settings: Settings;
  limits: Record<string, unknown>;
  preload?: string | undefined;
}) {
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, 'server.log');
  const limitsFile = join(folder, 'limits.json');
  writeFileSync(limitsFile, JSON.stringify(limits));

  let child: ChildProcess | undefined;
  let baseUrl: string | undefined;

  async function launch(changes: Settings = {}): Promise<string | undefined> {
    const log = openSync(logFile, 'a');
    const started = forkServer({
      cwd: root,
      execPath: node,
      stdio: ['ignore', log, log, 'ipc'],
      execArgv: preload === undefined ? [] : ['--import', preload],
      env: {
        ...process.env,
        NODE_ENV: 'development',
        HOST: '127.0.0.1',
        PORT: baseUrl ? new URL(baseUrl).port : '0',
        DATA_DIR: join(folder, 'data'),
        TRUST_PROXY: '1',
        LIMITS_FILE: limitsFile,
        ...settings,
        ...changes,
      },
    });
    child = started;
    return new Promise((resolve) => {
      started.once('message', (message: { baseUrl: string }) => resolve(message.baseUrl));
      started.once('exit', () => resolve(undefined));
    });
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!child || !isRunning()) return;

    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  function isRunning(): boolean {
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  function logTail(): string {
    return readFileSync(logFile, 'utf8').slice(-4000);
  }

  return {
    /** Starts the server once. Returns its address; undefined when it ended before it listened. */
    launch,

    /**
     * Starts the server and returns its address.
     * @param changes environment variables of only this start
     * @throws Error when it does not start after several tries
     */
    async start(changes: Settings = {}): Promise<string> {
      // Another program may have used the port while the server was down.
      for (let tries = 0; tries < START_TRIES; tries++) {
        const url = await launch(changes);
        if (url !== undefined) return (baseUrl = url);
      }

      throw new Error(`The server does not start:\n${logTail()}`);
    },

    /** Kills the process at once, like a power failure. */
    kill: () => end('SIGKILL'),

    stop: () => end('SIGTERM'),

    isRunning,

    pid: () => child?.pid,

    /** Sends a message to the process. Returns a promise of its end. */
    async order(message: Record<string, string>): Promise<void> {
      if (child === undefined || !isRunning()) return;

      const gone = once(child, 'exit');
      child.send(message);
      await gone;
    },

    logTail,

    /** The lines of the log so far, without what the process has written beside it. */
    logged: (): string[] =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{')),
  };
}

/** Makes what all servers on one database have to be given, with the signing key in a file of a folder. */
export function makeSharedSecrets(folder: string): Settings {
  const file = join(folder, 'signing-key.json');
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(file, JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'shared' }), { mode: 0o600 });
  }
  return { HWID_PEPPER: randomBytes(32).toString('hex'), SIGNING_KEY_FILE: file };
}
