import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '#api/foundation/telemetry/log.ts';
import { createOverload, watchLoad, watchOverload } from './overload.ts';

const SILENT_LOG = createLog({ write: () => true });
const QUIET_LOAD = { lateMs: 0, queue: 0 };
const MIDDLE_LOAD = { lateMs: 100, queue: 0.2 };
const LATE_LOAD = { lateMs: 200, queue: 0 };
const FULL_QUEUE_LOAD = { lateMs: 0, queue: 0.5 };

function open() {
  const changes: boolean[] = [];
  const overload = createOverload((isOverloaded) => void changes.push(isOverloaded));
  return {
    changes,
    overload,
    note: (load: typeof QUIET_LOAD, times: number) => {
      for (let nth = 0; nth < times; nth++) overload.note(load);
      return overload.isOverloaded();
    },
  };
}

test.each([
  ['the queue for the database fills', FULL_QUEUE_LOAD, 5],
  ['the event loop is late', LATE_LOAD, 5],
  ['the event loop is late by half a second', { lateMs: 500, queue: 0 }, 3],
  ['the event loop was away for a minute', { lateMs: 60_000, queue: 0 }, 2],
])('a server is overloaded when %s for several checks in a row, and not for fewer', (_what, load, looks) => {
  const { note } = open();

  expect(note(load, looks - 1)).toBe(false);
  expect(note(QUIET_LOAD, 1)).toBe(false);
  expect(note(load, looks - 1)).toBe(false);
  expect(note(load, 1)).toBe(true);
});

test('an overloaded server recovers after half a second of low load, and load between the limits changes nothing', () => {
  const { note, changes } = open();
  note(FULL_QUEUE_LOAD, 2);
  note(LATE_LOAD, 3);

  expect(note(MIDDLE_LOAD, 100)).toBe(true);
  expect(note(QUIET_LOAD, 4)).toBe(true);
  expect(note(MIDDLE_LOAD, 1)).toBe(true);
  expect(note(QUIET_LOAD, 4)).toBe(true);
  expect(note(QUIET_LOAD, 1)).toBe(false);
  expect(note(MIDDLE_LOAD, 100)).toBe(false);
  expect(changes).toEqual([true, false]);
});

test.each([
  ['the event loop is late', LATE_LOAD],
  ['the queue for the database fills', FULL_QUEUE_LOAD],
])('an overloaded server does not recover while %s, however low the other measure is', (_what, load) => {
  const { note, changes } = open();
  note(load, 100);

  expect(changes).toEqual([true]);
});

test('a punctual timer is never reported as late, however long the process runs', () => {
  vi.useFakeTimers();
  const late: number[] = [];
  const load = watchLoad({ note: ({ lateMs }) => void late.push(lateMs) }, () => 0);
  onTestFinished(load.stop);

  vi.advanceTimersByTime(1000);

  expect(late).toEqual(Array.from({ length: 10 }, () => 0));
});

test('a check after one late check is punctual again', () => {
  vi.useFakeTimers();
  let at = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => at);
  const late: number[] = [];
  onTestFinished(watchLoad({ note: ({ lateMs }) => void late.push(lateMs) }, () => 0).stop);

  for (const pause of [100, 1100, 100]) {
    at += pause;
    vi.advanceTimersByTime(100);
  }

  expect(late).toEqual([0, 1000, 0]);
});

test.each([
  [0, 200, false],
  [99, 200, false],
  [100, 200, true],
  [200, 200, true],
])('a queue with %i of %i places taken counts as crowded: %s', (waiting, maxWaiting, isCrowded) => {
  const load = watchOverload(SILENT_LOG, () => ({ open: 10, idle: 0, waiting, maxWaiting }));

  expect(load.isCrowded()).toBe(isCrowded);
});

test.each([
  [99, false],
  [100, true],
])(
  'with %i of 200 queue places taken the server counts as overloaded before the next check: %s',
  (waiting, isOverloaded) => {
    const load = watchOverload(SILENT_LOG, () => ({ open: 10, idle: 0, waiting, maxWaiting: 200 }));

    expect(load.isOverloaded()).toBe(isOverloaded);
  },
);

test('the start and end of an overload are logged', () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  let waiting = 200;
  watchOverload(createLog({ write: (line) => void lines.push(line) }), () => ({
    open: 10,
    idle: 0,
    waiting,
    maxWaiting: 200,
  }));

  vi.advanceTimersByTime(500);
  waiting = 0;
  vi.advanceTimersByTime(500);

  const said = lines.map((line) => JSON.parse(line) as { queue: number; msg: string });
  expect(said.map(({ queue, msg }) => [queue, msg])).toEqual([
    [1, 'overloaded: no new runs'],
    [0, 'no longer overloaded'],
  ]);
});

test('without a connection pool there is no crowded queue', () => {
  expect(watchOverload(SILENT_LOG, undefined).isCrowded()).toBe(false);
});
