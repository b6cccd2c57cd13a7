import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenToCount, parseOnline } from './live-socket.ts';

class FakeSocket {
  static opened: FakeSocket[] = [];
  readonly url: string;
  isClosed = false;
  onopen?: () => void;
  onmessage?: (message: { data: unknown }) => void;
  onerror?: () => void;
  onclose?: (event: { code: number }) => void;
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
  socket?.onclose?.({ code: 1006 });
  window.dispatchEvent(new Event('pageshow'));
  vi.runAllTimers();

  expect(socket?.isClosed).toBe(true);
  expect(FakeSocket.opened).toHaveLength(1);
});

test('hanging up while a lost socket is to be dialled again opens no other', () => {
  const hangUp = listenToCount(() => undefined);
  FakeSocket.opened[0]?.onclose?.({ code: 1006 });
  hangUp();
  vi.runAllTimers();

  expect(FakeSocket.opened).toHaveLength(1);
});

test('a server that is full is dialled again after half a minute at the earliest, and its count is shown', () => {
  const onCount = vi.fn();
  const hangUp = listenToCount(onCount);
  for (const dials of [1, 2, 3]) {
    const socket = FakeSocket.opened.at(-1);
    socket?.onopen?.();
    socket?.onmessage?.({ data: '{"online":7}' });
    socket?.onclose?.({ code: 1013 });
    vi.advanceTimersByTime(29_000);
    expect(FakeSocket.opened).toHaveLength(dials);
    vi.advanceTimersByTime(32_000);
  }
  hangUp();

  expect(onCount.mock.calls).toEqual([[7], [7], [7]]);
});

test('a socket that fails gives no count and writes nothing to the console', () => {
  const onCount = vi.fn();
  const said = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')];
  const hangUp = listenToCount(onCount);

  for (let failures = 0; failures < 5; failures++) {
    FakeSocket.opened.at(-1)?.onerror?.();
    FakeSocket.opened.at(-1)?.onclose?.({ code: 1006 });
    vi.runOnlyPendingTimers();
  }
  hangUp();

  expect(FakeSocket.opened).toHaveLength(6);
  expect(onCount).not.toHaveBeenCalled();
  for (const spy of said) expect(spy).not.toHaveBeenCalled();
});

test('a count is read from its message', () => {
  expect(parseOnline('{"online":42}')).toBe(42);
});

test.each(['', 'nonsense', 'null', '[]', '{}', '{"online":"42"}', '{"online":null}', '{"online":1e999}'])(
  'the malformed message %j is ignored',
  (message) => {
    expect(parseOnline(message)).toBeUndefined();
  },
);

function onPage(protocol: string) {
  vi.stubGlobal('location', { protocol, host: 'site.test:8443' });
}
