import { expect, test, vi } from 'vitest';
import { startJobs } from './module.ts';

test('a job of a module runs at once, and again when triggered', async () => {
  const run = vi.fn<() => Promise<void>>(() => Promise.resolve());
  let trigger = () => {};
  const job = { run, intervalMs: 60_000, onTrigger: (next: () => void) => void (trigger = next) };

  const [running] = startJobs([{ routes: {}, jobs: [job] }]);
  expect(run).toHaveBeenCalledTimes(1);
  trigger();
  await expect.poll(() => run.mock.calls.length).toBe(2);

  await running?.[Symbol.asyncDispose]();
});
