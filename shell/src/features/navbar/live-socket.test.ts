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
let hangUp: (() => void) | undefined;

beforeEach(() => {
  FakeSocket.opened = [];
  onCount.mockClear();
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('WebSocket', FakeSocket);
});
afterEach(() => {
  hangUp?.();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function dial(protocol = 'https:') {
  vi.stubGlobal('location', { protocol, host: 'site.test:8443' });
  hangUp = listenToCount(onCount);
}

/** Loses the last socket, after it was open for so long, and says when the next one is dialled. */
function lose({ code = 1006, afterMs }: { code?: number; afterMs?: number } = {}): number {
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
])('a page of %s dials %s', (protocol, url) => {
  dial(protocol);

  expect(FakeSocket.opened.map((socket) => socket.url)).toEqual([url]);
});

test('each failed attempt waits twice as long as the one before, up to a minute', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  dial();

  expect([1, 2, 3, 4, 5, 6, 7, 8].map(() => lose())).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});

test.each([
  { random: 0, waitMs: 500 },
  { random: 0.5, waitMs: 750 },
])('a random number of $random makes the first wait $waitMs ms', ({ random, waitMs }) => {
  vi.spyOn(Math, 'random').mockReturnValue(random);
  dial();

  expect(lose()).toBe(waitMs);
});

test.each([
  { afterMs: 29_999, waitMs: 4000 },
  { afterMs: 30_000, waitMs: 1000 },
])(
  'after two failures, a socket that was open for $afterMs ms is dialled again after $waitMs',
  ({ afterMs, waitMs }) => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    dial();
    lose();
    lose();

    expect(lose({ afterMs })).toBe(waitMs);
  },
);

test('hanging up closes the socket, and no other socket is opened', () => {
  dial();
  const [socket] = FakeSocket.opened;
  socket?.onopen?.();

  hangUp?.();
  socket?.onclose?.({ code: 1006 });
  window.dispatchEvent(new Event('pageshow'));
  vi.runAllTimers();

  expect(socket?.isClosed).toBe(true);
  expect(FakeSocket.opened).toHaveLength(1);
});

test('hanging up cancels the retry of a lost socket', () => {
  dial();
  FakeSocket.opened[0]?.onclose?.({ code: 1006 });
  hangUp?.();
  vi.runAllTimers();

  expect(FakeSocket.opened).toHaveLength(1);
});

test('a page that was put away hangs up, and dials once when it is shown again', () => {
  dial();
  window.dispatchEvent(new Event('pagehide'));
  expect(FakeSocket.opened[0]?.isClosed).toBe(true);

  window.dispatchEvent(new Event('pageshow'));
  window.dispatchEvent(new Event('pageshow'));
  expect(FakeSocket.opened).toHaveLength(2);
});

test('a server that is full is dialled again after half a minute at the earliest, and its count is shown', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  dial();
  for (let dials = 0; dials < 3; dials++) {
    FakeSocket.opened.at(-1)?.onmessage?.({ data: '{"online":7}' });
    expect(lose({ code: 1013, afterMs: 0 })).toBe(30_000);
  }

  expect(onCount.mock.calls).toEqual([[7], [7], [7]]);
});

test('a socket that fails gives no count and writes nothing to the console', () => {
  const logs = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')];
  dial();
  for (let failures = 0; failures < 5; failures++) {
    FakeSocket.opened.at(-1)?.onerror?.();
    lose();
  }

  expect(FakeSocket.opened).toHaveLength(6);
  expect(onCount).not.toHaveBeenCalled();
  for (const log of logs) expect(log).not.toHaveBeenCalled();
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
