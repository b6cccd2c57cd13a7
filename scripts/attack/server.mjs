import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const START_TRIES = 5;

/**
 * The built server as a process of its own, with data of its own, that can be killed and started again at the same address.
 * @param folder where its data and its log are kept
 * @param settings environment beside what every start has
 * @param limits numbers of the key system that differ from the usual ones
 */
export function createServer({ folder, settings = {}, limits }) {
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, 'server.log');
  const limitsFile = join(folder, 'limits.json');
  if (limits) writeFileSync(limitsFile, JSON.stringify(limits));

  let child;
  let baseUrl;

  async function launch(changes) {
    const log = openSync(logFile, 'a');
    child = fork('dist/api/main.js', {
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        ...process.env,
        NODE_ENV: 'development',
        HOST: '127.0.0.1',
        PORT: baseUrl ? new URL(baseUrl).port : '0',
        DATA_DIR: join(folder, 'data'),
        TRUST_PROXY: '1',
        ...(limits && { LIMITS_FILE: limitsFile }),
        ...settings,
        ...changes,
      },
    });
    const gone = once(child, 'exit').then(() => undefined);
    const message = await Promise.race([once(child, 'message').then(([first]) => first), gone]);
    if (message) baseUrl = message.baseUrl;
    return message !== undefined;
  }

  return {
    /** @param changes settings of this start alone */
    async start(changes = {}) {
      // Another program may have taken the port for a moment, while nobody listened there.
      for (let tries = 0; tries < START_TRIES; tries++) if (await launch(changes)) return baseUrl;

      throw new Error(`The server does not start:\n${this.logTail()}`);
    },

    /** Ends the process between two instructions, as a power cut would. */
    async kill() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },

    async stop() {
      if (!this.isRunning()) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },

    isRunning: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    /** How often the process has a file open; 0 where the system does not tell. */
    countOpen(file) {
      const folder = `/proc/${child.pid}/fd`;
      return existsSync(folder)
        ? readdirSync(folder).filter((descriptor) => targetOf(join(folder, descriptor))?.endsWith(file)).length
        : 0;
    },

    logTail: () => readFileSync(logFile, 'utf8').slice(-4000),

    /** The errors that the server has logged. */
    loggedErrors: () =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"level":50')),
  };
}

/** What a link points to, if it still does. */
function targetOf(link) {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
