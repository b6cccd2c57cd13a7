import { expect, test } from 'vitest';
import { createLine } from './line.ts';

test('so many run at once, and the others in the order in which they came, also after one has failed', async () => {
  const inLine = createLine(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const tasks = [0, 1, 2, 3].map((nth) =>
    inLine(async () => {
      begun.push(nth);
      await new Promise<void>((resolve) => (ends[nth] = resolve));
      if (nth === 0) throw new Error('failed');
      return nth;
    }).catch(() => 'failed'),
  );

  await expect.poll(() => begun).toEqual([0, 1]);
  ends[0]?.();
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  ends[2]?.();
  await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
  ends[1]?.();
  ends[3]?.();
  expect(await Promise.all(tasks)).toEqual(['failed', 1, 2, 3]);
});
