import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openLiveHub } from './live-hub.ts';

const PAGES = 600;
const OURS = 'https://site.example';

async function openPages() {
  const server = createServer();
  const hub = openLiveHub({
    server,
    isOurOrigin: () => true,
    clientAddressOf: () => '203.0.113.1',
    maxSockets: PAGES,
    maxSocketsPerNetwork: PAGES,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pages = Array.from({ length: PAGES }, () => new WebSocket(url, { origin: OURS }));
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

test('many pages are told in several turns of the event loop, so that requests come in between, and all of them hear it', async () => {
  const { hub, pages } = await openPages();
  const sent = vi.spyOn(WebSocket.prototype, 'send');
  onTestFinished(() => void sent.mockRestore());
  const told = Promise.all(pages.map((page) => toldOf(page, PAGES + 1000)));
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

  expect(Math.max(most, sent.mock.calls.length)).toBeLessThanOrEqual(PAGES / 2);
});

test('a change that comes while many pages are told is told after it', async () => {
  const { hub, pages } = await openPages();
  const sent = vi.spyOn(WebSocket.prototype, 'send').mockImplementationOnce(function (this: WebSocket, ...message) {
    hub.countElsewhere(2000);
    this.send(...message);
  });
  onTestFinished(() => void sent.mockRestore());
  const told = Promise.all(pages.map((page) => toldOf(page, PAGES + 2000)));

  hub.countElsewhere(1000);

  await told;
});
