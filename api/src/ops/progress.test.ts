import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { trackItems, repeatWithProgress, withProgress } from './progress.ts';

let written: string[];

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
});
afterEach(() => {
  Reflect.deleteProperty(process.stderr, 'isTTY');
  Reflect.deleteProperty(process.stdout, 'isTTY');
});

/** Keeps what is written, in place of the real terminal or log. */
function listen(isTTY: boolean): void {
  for (const stream of [process.stdout, process.stderr]) {
    Object.defineProperty(stream, 'isTTY', { value: isTTY, configurable: true });
    Object.defineProperty(stream, 'columns', { value: 40, configurable: true });
    vi.spyOn(Object.getPrototypeOf(stream) as NodeJS.WriteStream, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
  }
}

/** Goes on until it is told to end. */
function work(title: string, howFar?: () => string) {
  let end = () => {};
  const going = new Promise<string>((resolve) => (end = () => resolve('what was made')));
  return { done: withProgress(title, () => going, howFar), end };
}

test('without a terminal a progress line is logged every ten seconds', async () => {
  listen(false);
  let kills = 0;
  const [soak, copy] = [work('Kills', () => `${kills} of 30`), work('Copying')];

  vi.advanceTimersByTime(9_999);
  expect(written).toEqual([]);
  kills = 4;
  vi.advanceTimersByTime(1);
  expect(written).toEqual(['Kills: 4 of 30, 10 s · Copying: 10 s\n']);

  copy.end();
  await copy.done;
  vi.advanceTimersByTime(10_000);
  expect(written.slice(1)).toEqual(['Kills: 4 of 30, 20 s\n']);

  soak.end();
  expect(await soak.done).toBe('what was made');
  vi.advanceTimersByTime(60_000);
  expect(written).toHaveLength(2);
});

test('on a terminal the progress line is updated in place, truncated to the width and removed at the end', async () => {
  listen(true);
  const { done, end } = work('Something with a name that is longer than a line');

  vi.advanceTimersByTime(400);
  const line = '\r\u001B[2KSomething with a name that is longer th';
  expect(written).toEqual([line, line]);

  end();
  await done;
  expect(written.slice(2)).toEqual(['\r\u001B[2K']);
  process.stdout.write('afterwards');
  expect(written.slice(3)).toEqual(['afterwards']);
});

test('on a terminal other output does not mix with the progress line', () => {
  listen(true);
  const { end } = work('Copying');

  process.stdout.write('found\n');
  process.stderr.write('odd\n');

  expect(written).toEqual(['\r\u001B[2K', 'found\n', '\r\u001B[2K', 'odd\n']);
  end();
});

test('a loop reports its completed iterations, and nothing after a break', async () => {
  listen(false);
  await repeatWithProgress('Kills', 3, async (turn) => {
    if (turn === 1) await vi.advanceTimersByTimeAsync(10_000);
  });
  expect(written).toEqual(['Kills: 1 of 3, 10 s\n']);

  for (const name of trackItems('Outages', ['disk', 'database'])) if (name === 'disk') break;
  vi.advanceTimersByTime(60_000);
  expect(written).toHaveLength(1);
});

test('a failed task removes its progress line', async () => {
  listen(false);
  await expect(withProgress('Copying', () => Promise.reject(new Error('full')))).rejects.toThrow('full');

  vi.advanceTimersByTime(60_000);
  expect(written).toEqual([]);
});
