import type * as Timers from 'node:timers/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openPrerenderingStage } from '#api/test/prerendering-stage.ts';

// A second takes ten milliseconds here.
vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof Timers>();
  return { ...timers, setTimeout: (ms: number, ...rest: [unknown, object]) => timers.setTimeout(ms / 100, ...rest) };
});

test('who publishes or moves waits for a renderer that hangs, but not for long', async () => {
  const { tryPairs, answers, shell, remote } = openPrerenderingStage();
  const late = tryPairs([{ shell, remote }]);
  await wait(5000);
  expect(await Promise.race([late, Promise.resolve('under way')])).toBe('under way');

  expect(await late).toEqual({
    thrown: [],
    failures: ['tools@1.0.0 in shell@1.0.0 is rendered in the browser alone. It took too long.'],
  });
  answers[0]?.();
});
