import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Settings } from './server.ts';

/** How a server ended, and what it wrote until then. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  said: string;
  logged: string;
}

export interface OwnServer {
  /** Its address; undefined when it ended before it listened. */
  listening: Promise<string | undefined>;
  ended: Promise<End>;
  end: (signal: NodeJS.Signals) => Promise<End>;
}

/**
 * One start of the built server, on a free port, that may fail or be ended at any moment.
 * @param settings environment of this start
 * @param preload code that runs in the process before the server's own
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
