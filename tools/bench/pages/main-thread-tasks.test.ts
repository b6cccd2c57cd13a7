import { expect, test } from 'vitest';
import type { TraceEvent } from './bare-browser.ts';
import { listTasks } from './main-thread-tasks.ts';

const URL = 'http://localhost:1/v5';
const PAGE = { pid: 7, tid: 1 };

function traceOf(...events: TraceEvent[]): TraceEvent[] {
  return [...events, { name: 'navigationStart', ts: 1000, ...PAGE, args: { data: { documentLoaderURL: URL } } }];
}

const task = (ts: number, dur: number, of = PAGE) => ({ name: 'ThreadControllerImpl::RunTask', ts, dur, ...of });

test('the tasks of a page are those of its main thread since its navigation', () => {
  const trace = traceOf(task(500, 9000, { pid: 7, tid: 2 }), task(20_000, 70_000), task(0, 900), task(2000, 1500));

  expect(listTasks(trace, URL)).toEqual([1.5, 70]);
});

test('a task within another one does not count twice', () => {
  expect(listTasks(traceOf(task(2000, 10_000), task(2000, 9000), task(3000, 500), task(12_000, 1000)), URL)).toEqual([
    10, 1,
  ]);
});

test('a trace without the navigation is none of this page', () => {
  expect(() => listTasks(traceOf(), 'http://localhost:1/neo')).toThrow(
    'the trace does not have the navigation to http://localhost:1/neo',
  );
});

test('of two navigations to the same address the last one counts', () => {
  const navigation = traceOf()[0];
  if (!navigation) throw new Error('There is no navigation');
  const earlier = { ...navigation, ts: 0 };

  expect(listTasks([earlier, ...traceOf(task(500, 400), task(20_000, 3000))], URL)).toEqual([3]);
});

test('the thread of another process with the same number is another one', () => {
  expect(listTasks(traceOf(task(2000, 10_000), task(20_000, 5000, { pid: 8, tid: 1 })), URL)).toEqual([10]);
});

test('a task that was listed after one within it counts as a whole', () => {
  expect(listTasks(traceOf(task(2000, 9000), task(2000, 10_000)), URL)).toEqual([10]);
});
