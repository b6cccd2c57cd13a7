import { expect, test } from 'vitest';
import { judgePage, type Medians } from './page-bars.ts';

const LOAD = {
  jsBeforePaintKb: 0,
  jsUntilWorksKb: 100,
  cls: 0,
  lcpMs: 100,
  worksMs: 100,
  clickMs: 100,
  stepMs: NaN,
  tbtMs: 100,
  longestTaskMs: 100,
};

const mediansOf = (ours: object) =>
  ({
    ours: { ...LOAD, lcpMs: 40, worksMs: 90, tbtMs: 50, ...ours },
    client: LOAD,
    bundle: LOAD,
    floor: { ...LOAD, lcpMs: 40 },
  }) as unknown as Medians;

const listMissed = (path: string, ours: object) =>
  judgePage(path, 'first', mediansOf(ours))
    .filter(({ verdict }) => verdict === 'missed')
    .map(({ measure, beside }) => `${measure} ${beside}`);

test('a bar is kept at its limit, and missed above it', () => {
  expect(listMissed('/v5', { cls: 0.01, jsUntilWorksKb: 105 })).toEqual([]);
  expect(listMissed('/v5', { cls: 0.011, tbtMs: 61 })).toEqual(['tbtMs client', 'cls ']);
});

test('a bar for some pages holds for them alone, and a step is judged where there is one', () => {
  expect(listMissed('/plans', { tbtMs: 999, longestTaskMs: 999 })).toEqual([]);
  expect(judgePage('/plans', 'first', mediansOf({})).map(({ measure }) => measure)).not.toContain('stepMs');
});
