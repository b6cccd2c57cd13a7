import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenToCount } from './live-socket.ts';

class FakeSocket {
  static opened: FakeSocket[] = [];
  readonly url: string;
  isClosed = false;
  onopen?: () => void;
  onmessage?: (message: { data: unknown }) => void;
  onclose?: () => void;
  constructor(url: string) {
    this.url = url;
    FakeSocket.opened.push(this);
  }
  close() {
    this.isClosed = true;
  }
}

beforeEach(() => {
  FakeSocket.opened = [];
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('WebSocket', FakeSocket);
  onPage('https:');
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test.each([
  ['https:', 'wss://site.test:8443'],
  ['http:', 'ws://site.test:8443'],
])('a page of %s dials %s', (protocol, url) => {
  onPage(protocol);
  listenToCount(() => undefined);

  expect(FakeSocket.opened.map((socket) => socket.url)).toEqual([url]);
});

test('hanging up closes the socket, and no other socket is opened', () => {
  const hangUp = listenToCount(() => undefined);
  const [socket] = FakeSocket.opened;
  socket?.onopen?.();

  hangUp();
  socket?.onclose?.();
  window.dispatchEvent(new Event('pageshow'));
  vi.runAllTimers();

  expect(socket?.isClosed).toBe(true);
  expect(FakeSocket.opened).toHaveLength(1);
});

test('a socket that fails gives no count and writes nothing to the console', () => {
  const onCount = vi.fn();
  const said = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')];
  const hangUp = listenToCount(onCount);

  for (let failures = 0; failures < 5; failures++) {
    FakeSocket.opened.at(-1)?.onclose?.();
    vi.runOnlyPendingTimers();
  }
  hangUp();

  expect(FakeSocket.opened).toHaveLength(6);
  expect(onCount).not.toHaveBeenCalled();
  for (const spy of said) expect(spy).not.toHaveBeenCalled();
});

function onPage(protocol: string) {
  vi.stubGlobal('location', { protocol, host: 'site.test:8443' });
}
