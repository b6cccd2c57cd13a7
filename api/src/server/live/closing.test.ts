import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openLiveHub } from './live-hub.ts';

const OURS = 'https://site.example';
const VISITORS = 150;

test('a server that stops says goodbye in waves, and tells no page that the others left', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const hub = openLiveHub({
    server,
    isOurOrigin: (origin) => origin === OURS,
    clientAddressOf: () => '203.0.113.1',
    maxSockets: VISITORS,
    maxSocketsPerNetwork: VISITORS,
  });
  const { port } = server.address() as AddressInfo;
  const visitors = Array.from({ length: VISITORS }, () => new WebSocket(`ws://127.0.0.1:${port}`, { origin: OURS }));
  await Promise.all(visitors.map((visitor) => once(visitor, 'message')));
  const closed: number[] = [];
  const heard: string[] = [];
  for (const visitor of visitors) {
    visitor.on('close', (code) => closed.push(code));
    visitor.on('message', (message: Buffer) => heard.push(message.toString()));
  }

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  hub.close();
  // What is polled for needs the real clock.
  await waitUntil(() => closed.length >= 100);
  expect(closed).toHaveLength(100);
  heard.length = 0;
  vi.advanceTimersByTime(199);
  await waitUntil(() => hub.count() === 50);
  expect(closed).toHaveLength(100);

  vi.advanceTimersByTime(1);
  await waitUntil(() => closed.length === VISITORS);
  expect(new Set(closed)).toEqual(new Set([1012]));
  expect(heard).toEqual([]);
});

/** Waits on the turns of the event loop, because the clock stands still. */
async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}
