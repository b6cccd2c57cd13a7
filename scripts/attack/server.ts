import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const START_TRIES = 5;

/** Environment of a server. */
export type Settings = Record<string, string>;

export type Server = ReturnType<typeof createServer>;

/**
 * The built server as a process of its own, with data of its own, that can be killed and started again at the same address.
 * @param root the folder of the sources whose build it is
 * @param folder where its data and its log are kept
 * @param settings environment beside what every start has
 * @param limits numbers of the key system that differ from the usual ones
 */
export function createServer({
  root = '.',
  folder,
  settings,
  limits,
}: {
  root?: string | undefined;
  folder: string;
  settings: Settings;
  limits: Record<string, unknown>;
}) {
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, 'server.log');
  const limitsFile = join(folder, 'limits.json');
  writeFileSync(limitsFile, JSON.stringify(limits));

  let child: ChildProcess | undefined;
  let baseUrl: string | undefined;

  async function launch(changes: Settings): Promise<string | undefined> {
    const log = openSync(logFile, 'a');
    const started = fork('dist/api/main.js', {
      cwd: root,
      stdio: ['ignore', log, log, 'ipc'],
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
    if (child === undefined || !isRunning()) return;

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
    /** @param changes settings of this start alone */
    async start(changes: Settings = {}): Promise<string> {
      // Another program may have taken the port for a moment, while nobody listened there.
      for (let tries = 0; tries < START_TRIES; tries++) {
        const url = await launch(changes);
        if (url !== undefined) return (baseUrl = url);
      }

      throw new Error(`The server does not start:\n${logTail()}`);
    },

    /** Ends the process between two instructions, as a power cut would. */
    kill: () => end('SIGKILL'),

    stop: () => end('SIGTERM'),

    isRunning,

    /** How often the process has a file open; 0 where the system does not tell. */
    countOpen(file: string): number {
      const folder = `/proc/${child?.pid}/fd`;
      return existsSync(folder)
        ? readdirSync(folder).filter((descriptor) => targetOf(join(folder, descriptor))?.endsWith(file)).length
        : 0;
    },

    logTail,

    /** The errors that the server has logged. */
    loggedErrors: (): string[] =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"level":50')),
  };
}

/** What a link points to, if it still does. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
