import { spawn, type ChildProcess, type SendHandle } from 'node:child_process';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { BACKLOG } from './listen.ts';

/** How many connections a turn of the event loop takes besides the one that Node takes. */
const MORE = 7;

/** Sends every handle back that it gets. A handle that was sent is another descriptor of the same socket. */
const ECHO = `process.on('message', (word, handle) => process.send(word, handle))`;

export interface MoreListeners {
  /** Resolves when they are there, or cannot be had. Then the server goes on with its own listener. */
  opened: Promise<void>;
  /** Takes no new connections; resolves when those that were taken here are closed. */
  close: () => Promise<void>;
}

/**
 * Lets a server that listens take several new connections in each turn of the event loop. Node takes one (libuv 1.46), so
 * a busy server whose turns take 8 ms takes 125 in a second, and a crowd waits half a minute at a server that answers
 * quickly. More listeners on the same socket take one each. Node has no call for that, but a process that is sent the
 * handle of a listener can send a copy back.
 */
export function openMoreListeners(server: Server): MoreListeners {
  const listeners: NetServer[] = [];
  let isClosed = false;
  const helper = startHelper();
  if (!helper) return { opened: Promise.resolve(), close: () => Promise.resolve() };

  const opened = new Promise<void>((resolve) => {
    helper.on('exit', () => resolve());
    helper.on('message', (_word, handle) => {
      // As an HTTP server makes its own.
      const listener = new NetServer({ allowHalfOpen: true, noDelay: true });
      listeners.push(listener.on('connection', (socket) => void server.emit('connection', socket)));
      listener.listen(handle, BACKLOG);
      if (isClosed) listener.close();
      // Until it ends, the socket stays open there.
      if (listeners.length === MORE) helper.kill('SIGKILL');
    });
  });
  const { _handle: handle } = server as Server & { _handle?: SendHandle };
  if (handle) for (let nth = 0; nth < MORE; nth++) helper.send('copy', handle, () => undefined);
  else helper.kill('SIGKILL');

  return {
    opened,
    async close() {
      isClosed = true;
      // One that hangs would hear of no other signal, and hold the port.
      helper.kill('SIGKILL');
      await Promise.all(listeners.map((listener) => new Promise((resolve) => void listener.close(resolve))));
    },
  };
}

/** Starts the process that sends handles back; undefined when the system gives no process, memory or descriptor for it. */
function startHelper(): ChildProcess | undefined {
  try {
    const helper = spawn(process.execPath, ['--eval', ECHO], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: {} });
    helper.on('error', () => undefined);
    // Without a process a signal would go to this server itself.
    return helper.pid === undefined ? undefined : helper;
  } catch {
    return undefined;
  }
}
