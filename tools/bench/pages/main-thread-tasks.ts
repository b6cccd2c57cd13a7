import type { TraceEvent } from './bare-browser.ts';

/** What a trace has to hold for `listTasks`: the tasks of all threads, and the navigations. */
export const TASK_CATEGORIES = ['toplevel', 'blink.user_timing'];

/**
 * Lists the tasks of a page's main thread since its navigation. The page itself cannot tell them all: the browser says
 * nothing of some that are layout alone, such as the first layout of a page that came as HTML.
 * @param trace with `TASK_CATEGORIES`
 * @param url where the page was opened
 * @returns how long each task took, in milliseconds
 */
export function listTasks(trace: readonly TraceEvent[], url: string): number[] {
  const start = trace.findLast(({ name, args }) => name === 'navigationStart' && args?.data?.documentLoaderURL === url);
  if (!start) throw new Error(`the trace does not have the navigation to ${url}`);

  const tasks: number[] = [];
  let endedAt = start.ts;
  const ofMainThread = trace
    .filter(({ name, pid, tid }) => name.endsWith('RunTask') && pid === start.pid && tid === start.tid)
    .sort((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0));
  for (const { ts, dur = 0 } of ofMainThread) {
    // A task can run others within itself.
    if (ts < endedAt) continue;
    tasks.push(dur / 1000);
    endedAt = ts + dur;
  }
  return tasks;
}
