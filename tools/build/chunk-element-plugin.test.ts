import { runInNewContext } from 'node:vm';
import { rspack } from '@rspack/core';
import { expect, test, vi } from 'vitest';
import { ChunkElementPlugin, watch } from './chunk-element-plugin.ts';

interface Watched {
  /** What the runtime sets for as long as it waits. */
  onerror: ((event: object) => void) | null;
}

/** Runs what the runtime of a unit runs of each element in a host, and what it does next. */
function load(self: object = {}) {
  const script: Watched = { onerror: null };
  const clock = { second: (): void => undefined, isStopped: false };
  runInNewContext(watch('script'), {
    script,
    self,
    setInterval: (second: () => void, ms: number) => (ms === 1000 ? (clock.second = second) : undefined),
    clearInterval: () => (clock.isStopped = true),
  });
  const failed = vi.fn();
  script.onerror = failed;
  return { script, failed, clock };
}

test('in every host a chunk that does not answer fails after 120 seconds, as a time-out', () => {
  const { script, failed, clock } = load();
  for (let seconds = 1; seconds < 120; seconds++) clock.second();
  expect(failed).not.toHaveBeenCalled();

  clock.second();
  expect(failed.mock.calls).toEqual([[{ type: 'timeout', target: script }]]);
});

test('a chunk that has arrived while the page was frozen does not fail, however long that was', () => {
  const { script, failed, clock } = load();
  // Of all the times that a timer fell due in a frozen page, one is left.
  clock.second();
  script.onerror = null;
  clock.second();

  expect(failed).not.toHaveBeenCalled();
  expect(clock.isStopped).toBe(true);
});

test('the shell is told of each element before it is asked for', () => {
  const chunkElementCreated = vi.fn();
  const { script } = load({ chunkElementCreated });

  expect(chunkElementCreated.mock.calls).toEqual([[script]]);
});

test('the timer of the runtime itself never ends: it would fall due while the page is frozen', () => {
  const { options } = rspack({ plugins: [new ChunkElementPlugin()] });

  expect(options.output.chunkLoadTimeout).toBe(2 ** 31 - 1);
});
