import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * One start of the built server, on a free port, that may fail or be ended at any moment.
 * @param settings environment of this start
 * @param preload code that runs in the process before the server's own
 */
export function launch(settings, { preload } = {}) {
  const child = fork('dist/api/main.js', {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: preload ? ['--import', `data:text/javascript,${encodeURIComponent(preload)}`] : [],
    env: { ...process.env, NODE_ENV: 'development', HOST: '127.0.0.1', PORT: '0', ...settings },
  });
  const [said, logged] = [text(child.stderr), text(child.stdout)];
  const ended = once(child, 'exit').then(async ([code, signal]) => ({
    code,
    signal,
    said: await said,
    logged: await logged,
  }));
  const listening = new Promise((resolve) => {
    child.once('message', ({ baseUrl }) => resolve(baseUrl));
    void ended.then(() => resolve(undefined));
  });

  return {
    /** Its address; undefined when it ended before it listened. */
    listening,
    /** How it ended, and what it said by then. */
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
