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

const onCount = vi.fn();
const onLive = vi.fn();
let disconnect: (() => void) | undefined;

beforeEach(() => {
  FakeSocket.opened = [];
  onCount.mockClear();
  onLive.mockClear();
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('WebSocket', FakeSocket);
});
afterEach(() => {
  disconnect?.();
});

function connect(protocol = 'https:') {
  vi.stubGlobal('location', { protocol, host: 'site.test:8443' });
  disconnect = listenToCount(onCount, onLive);
}

/** Loses the last socket, after it was open for so long, and says when the next one is dialled. */
function loseConnection({ code = 1006, afterMs }: { code?: number; afterMs?: number } = {}): number {
  const lost = FakeSocket.opened.at(-1);
  if (afterMs !== undefined) {
    lost?.onopen?.();
    vi.advanceTimersByTime(afterMs);
  }
  lost?.onclose?.({ code });
  const at = performance.now();
  vi.advanceTimersToNextTimer();
  return performance.now() - at;
}

test.each([
  ['https:', 'wss://site.test:8443'],
  ['http:', 'ws://site.test:8443'],
])('a page of %s connects to %s', (protocol, url) => {
  connect(protocol);

  expect(FakeSocket.opened.map((socket) => socket.url)).toEqual([url]);
});

test('the wait before a reconnect doubles up to a minute', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  connect();

  expect([1, 2, 3, 4, 5, 6, 7, 8].map(() => loseConnection())).toEqual([
    1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000,
  ]);
});

test.each([
  { random: 0, waitMs: 500 },
  { random: 0.5, waitMs: 750 },
])('the random number $random makes the first wait $waitMs ms', ({ random, waitMs }) => {
  vi.spyOn(Math, 'random').mockReturnValue(random);
  connect();

  expect(loseConnection()).toBe(waitMs);
});

test.each([
  { afterMs: 29_999, waitMs: 4000 },
  { afterMs: 30_000, waitMs: 1000 },
])('after two failures, a socket that was open for $afterMs ms reconnects after $waitMs', ({ afterMs, waitMs }) => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  connect();
  loseConnection();
  loseConnection();

  expect(loseConnection({ afterMs })).toBe(waitMs);
});

test('a count is live until its socket is lost, and again with the next one', () => {
  connect();
  FakeSocket.opened[0]?.onmessage?.({ data: '{"online":7}' });
  loseConnection({ afterMs: 10 });
  // This one never opens.
  loseConnection();
  FakeSocket.opened.at(-1)?.onmessage?.({ data: 'nonsense' });
  FakeSocket.opened.at(-1)?.onmessage?.({ data: '{"online":8}' });

  disconnect?.();
  FakeSocket.opened.at(-1)?.onclose?.({ code: 1005 });
  expect(onLive.mock.calls).toEqual([[true], [false], [false], [true]]);
});

test('disconnecting closes the socket, and no other socket is opened', () => {
  connect();
  const [socket] = FakeSocket.opened;
  socket?.onopen?.();

  disconnect?.();
  socket?.onclose?.({ code: 1006 });
  window.dispatchEvent(new Event('pageshow'));
  vi.runAllTimers();

  expect(socket?.isClosed).toBe(true);
  expect(FakeSocket.opened).toHaveLength(1);
});

test('disconnecting cancels the reconnect of a lost socket', () => {
  connect();
  FakeSocket.opened[0]?.onclose?.({ code: 1006 });
  disconnect?.();
  vi.runAllTimers();

  expect(FakeSocket.opened).toHaveLength(1);
});

test('a page in the back/forward cache disconnects, and reconnects once when shown again', () => {
  connect();
  window.dispatchEvent(new Event('pagehide'));
  expect(FakeSocket.opened[0]?.isClosed).toBe(true);

  window.dispatchEvent(new Event('pageshow'));
  window.dispatchEvent(new Event('pageshow'));
  expect(FakeSocket.opened).toHaveLength(2);
});

test('a socket that a full server closed reconnects after at least 30 s, and its count is shown', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  connect();
  for (let dials = 0; dials < 3; dials++) {
    FakeSocket.opened.at(-1)?.onmessage?.({ data: '{"online":7}' });
    expect(loseConnection({ code: 1013, afterMs: 0 })).toBe(30_000);
  }

  expect(onCount.mock.calls).toEqual([[7], [7], [7]]);
});

test('a failed socket gives no count and logs nothing', () => {
  const logs = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')];
  connect();
  for (let failures = 0; failures < 5; failures++) {
    FakeSocket.opened.at(-1)?.onerror?.();
    loseConnection();
  }

  expect(FakeSocket.opened).toHaveLength(6);
  expect(onCount).not.toHaveBeenCalled();
  for (const log of logs) expect(log).not.toHaveBeenCalled();
});

test('a message is parsed into its count', () => {
  expect(parseOnline('{"online":42}')).toBe(42);
});

test.each(['', 'nonsense', 'null', '[]', '{}', '{"online":"42"}', '{"online":null}', '{"online":1e999}'])(
  'ignores the malformed message %j',
  (message) => {
    expect(parseOnline(message)).toBeUndefined();
  },
);
