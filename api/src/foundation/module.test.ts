import { expect, test, vi } from 'vitest';
import { startJobs } from './module.ts';

test('a job of a module runs at once, and again as soon as something hurries it', async () => {
  const run = vi.fn<() => Promise<void>>(() => Promise.resolve());
  let hurry = () => {};
  const job = { run, pauseMs: 60_000, hurriedBy: (next: () => void) => void (hurry = next) };

  const [running] = startJobs([{ routes: {}, jobs: [job] }]);
  expect(run).toHaveBeenCalledTimes(1);
  hurry();
  await expect.poll(() => run.mock.calls.length).toBe(2);

  await running?.stop();
});
