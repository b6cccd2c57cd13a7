import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openLiveHub } from './live-hub.ts';

const OWN_ORIGIN = 'https://site.example';
const PAGE_COUNT = 600;

/** Opens pages that all come from one network. */
async function openPages(count: number) {
  const server = createServer();
  const hub = openLiveHub({
    server,
    isOurOrigin: () => true,
    clientAddressOf: () => '203.0.113.1',
    maxSockets: count,
    maxSocketsPerNetwork: count,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pages = Array.from({ length: count }, () => new WebSocket(url, { origin: OWN_ORIGIN }));
  onTestFinished(async () => {
    for (const page of pages) page.terminate();
    hub.close();
    await once(server.close(), 'close');
  });
  await Promise.all(pages.map((page) => once(page, 'message')));
  return { hub, pages };
}

const toldOf = (page: WebSocket, online: number) =>
  new Promise<void>((resolve) =>
    page.on('message', (data) => {
      if ((JSON.parse((data as Buffer).toString()) as { online: number }).online === online) resolve();
    }),
  );

test('many pages are notified over several turns of the event loop, so that requests are served in between', async () => {
  const { hub, pages } = await openPages(PAGE_COUNT);
  const sent = vi.spyOn(WebSocket.prototype, 'send');
  const told = Promise.all(pages.map((page) => toldOf(page, PAGE_COUNT + 1000)));
  hub.countElsewhere(1000);
  let most = 0;
  let isOver = false;
  const turn = () => {
    most = Math.max(most, sent.mock.calls.length);
    sent.mockClear();
    if (!isOver) setImmediate(turn);
  };
  turn();
  await told;
  isOver = true;

  expect(Math.max(most, sent.mock.calls.length)).toBeLessThanOrEqual(PAGE_COUNT / 2);
});

test('a change during a notification round is sent in the next round', async () => {
  const { hub, pages } = await openPages(PAGE_COUNT);
  vi.spyOn(WebSocket.prototype, 'send').mockImplementationOnce(function (this: WebSocket, ...message) {
    hub.countElsewhere(2000);
    this.send(...message);
  });
  const told = Promise.all(pages.map((page) => toldOf(page, PAGE_COUNT + 2000)));

  hub.countElsewhere(1000);

  await told;
});

test('a stopping server closes sockets in batches, without notifying pages of the others’ disconnect', async () => {
  const { hub, pages } = await openPages(150);
  const closed: number[] = [];
  const heard: string[] = [];
  for (const page of pages) {
    page.on('close', (code) => closed.push(code));
    page.on('message', (message: Buffer) => heard.push(message.toString()));
  }

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  hub.close();
  // What is polled for needs the real clock.
  await waitUntil(() => closed.length >= 100);
  expect(closed).toHaveLength(100);
  heard.length = 0;
  vi.advanceTimersByTime(199);
  await waitUntil(() => hub.count() === 50);
  expect(closed).toHaveLength(100);

  vi.advanceTimersByTime(1);
  await waitUntil(() => closed.length === pages.length);
  expect(new Set(closed)).toEqual(new Set([1012]));
  expect(heard).toEqual([]);
});

/** Waits on the turns of the event loop, because the clock stands still. */
async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}
