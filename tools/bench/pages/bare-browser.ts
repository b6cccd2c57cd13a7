import { EventEmitter, once } from 'node:events';
import { chromium, type CDPSession } from 'playwright-core';
import { WebSocket } from 'ws';
import { browserPath, launchOptions } from '../../machine/chromium.ts';
import { freePort } from '../../machine/free-port.ts';

/** Sends commands of the DevTools protocol. Rejects with what the browser says against one. */
export type Send = CDPSession['send'];

/** A browser that is asked only what a measurement needs. */
export interface BareBrowser {
  /** Sends commands to the browser itself. */
  send: Send;
  /** Sends commands to the page of a session. */
  sendTo(sessionId: string): Send;
  /** What the browser tells: each event by its name, with its parameters and its session. */
  events: EventEmitter;
  close(): Promise<void>;
}

interface Message {
  id?: number;
  method?: string;
  params?: object;
  sessionId?: string;
  result?: unknown;
  error?: { message: string };
}

/**
 * Starts the system's Chromium as Playwright does, and connects to it beside Playwright, which leaves alone the pages that
 * it has not opened. Its own pages have the domain `Runtime` enabled, and those of Lighthouse, too: V8 then reads a
 * function once more for each line of the stack of each error that is made, and React makes two when it starts. On a slow
 * phone this is a task of 100 ms that no visitor has.
 */
export async function launchBareBrowser(): Promise<BareBrowser> {
  const port = await freePort();
  const { args } = launchOptions();
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: [...args, `--remote-debugging-port=${port}`],
  });
  const version = await fetch(`http://127.0.0.1:${port}/json/version`);
  const { webSocketDebuggerUrl } = (await version.json()) as { webSocketDebuggerUrl: string };
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');

  const events = new EventEmitter();
  const waiting = new Map<number, (message: Message) => void>();
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else if (message.method !== undefined) events.emit(message.method, message.params, message.sessionId);
  });
  socket.on('close', () => {
    for (const answer of waiting.values()) answer({ error: { message: 'the browser is gone' } });
  });

  let lastId = 0;
  const ask = (method: string, params?: object, sessionId?: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, ({ error, result }) => {
        waiting.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result);
      });
      socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  const sendTo = (sessionId?: string) => ((method, params) => ask(method, params, sessionId)) as Send;
  const send = sendTo();

  return {
    send,
    sendTo,
    events,
    async close() {
      socket.close();
      await browser.close();
    },
  };
}

/** An event of a trace (https://chromium.googlesource.com/catapult, "Trace Event Format"). Times are in microseconds. */
export interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  args?: { data?: { documentLoaderURL?: string } };
}

/**
 * Traces the browser while something is done.
 * @param categories which events the trace has
 */
export async function traceWhile<Result>(
  { send, events }: BareBrowser,
  categories: readonly string[],
  act: () => Promise<Result>,
): Promise<{ result: Result; trace: TraceEvent[] }> {
  const trace: TraceEvent[] = [];
  const collect = ({ value }: { value: TraceEvent[] }) => trace.push(...value);
  events.on('Tracing.dataCollected', collect);
  try {
    await send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: [...categories], excludedCategories: ['*'] },
    });
    const result = await act();
    const complete = once(events, 'Tracing.tracingComplete');
    await send('Tracing.end');
    await complete;
    return { result, trace };
  } finally {
    events.off('Tracing.dataCollected', collect);
  }
}
