import { expect, test, vi } from 'vitest';
import { openPrerenderingStage } from '#api/test/prerendering-stage.ts';

/** What is waited for, in milliseconds, and what ends each of the waits. */
const waits = vi.hoisted(() => [] as { ms: number; end: () => void }[]);

vi.mock('node:timers/promises', async (original) => ({
  ...(await original<object>()),
  setTimeout: (ms: number, value: unknown) => new Promise((resolve) => waits.push({ ms, end: () => resolve(value) })),
}));

test('who publishes or moves waits for a renderer that hangs, but not for long', async () => {
  const { tryPairs, shell, remote } = openPrerenderingStage();
  const late = tryPairs([{ shell, remote }]);
  expect(waits.map(({ ms }) => ms)).toEqual([12_000]);
  waits[0]?.end();

  expect(await late).toEqual({
    thrown: [],
    failures: ['tools@1.0.0 in shell@1.0.0 is rendered in the browser alone. It took too long.'],
  });
});
