import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Settings } from '../../site/server.ts';

/** How a server process ended. `said` is its stderr, `logged` its stdout. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  said: string;
  logged: string;
}

export interface OwnServer {
  /** The address of the server; undefined when it ended before it listened. */
  listening: Promise<string | undefined>;
  ended: Promise<End>;
  end: (signal: NodeJS.Signals) => Promise<End>;
}

/**
 * Starts the built server once, on a free port. The start may fail, and the caller may end the process at any time.
 * @param settings environment variables
 * @param preload source code that runs in the process before the server's own code
 */
export function launch(settings: Settings, { preload }: { preload?: string | undefined } = {}): OwnServer {
  const child = fork('dist/api/main.js', {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: preload ? ['--import', `data:text/javascript,${encodeURIComponent(preload)}`] : [],
    env: { ...process.env, NODE_ENV: 'development', HOST: '127.0.0.1', PORT: '0', ...settings },
  });
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('What the server writes cannot be read');

  const [said, logged] = [text(stderr), text(stdout)];
  const ended = once(child, 'exit').then(async ([code, signal]): Promise<End> => ({
    code: code as End['code'],
    signal: signal as End['signal'],
    said: await said,
    logged: await logged,
  }));
  const listening = new Promise<string | undefined>((resolve) => {
    child.once('message', ({ baseUrl }: { baseUrl: string }) => resolve(baseUrl));
    void ended.then(() => resolve(undefined));
  });

  return {
    listening,
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
