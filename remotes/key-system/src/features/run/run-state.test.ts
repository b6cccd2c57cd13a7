import type { RunState } from '@app/contracts/key-system-schemas';
import { expect, test } from 'vitest';
import { NOW, run, state } from '../../test/run-server.ts';
import { currentPage, isUnknownDevice, parallelRun } from './run-state.ts';

const KEY = { active: true, expiresAt: NOW, renewable: false, zone: 'same' } as const;

test.each<[what: string, known: Partial<RunState>, page: number | 'getkey']>([
  ['without run or key', {}, 1],
  ['with a key that has ended', { key: { ...KEY, active: false } }, 1],
  ['with an open run', { run: run(4) }, 4],
  ['with an open run and an earlier key that works', { run: run(4), key: KEY }, 4],
  ['with a working key', { key: KEY }, 'getkey'],
  ['with a key that can be renewed', { key: { ...KEY, renewable: true } }, 1],
  ['with a key whose zone moves', { key: { ...KEY, zone: 'moves' } }, 1],
  ['with a key of another zone', { key: { ...KEY, zone: 'other' } }, 1],
])('a visitor %s is redirected to the page of the run', (_what, known, page) => {
  expect(currentPage(state(known))).toBe(page);
});

test('a new run starts only beside a run of another zone', () => {
  const other = state({ run: run(4, { zone: 'other' }) });
  expect(parallelRun(other)).toEqual({ ...other, run: null });
  for (const zone of ['same', 'moves'] as const) {
    const known = state({ run: run(4, { zone }) });
    expect(parallelRun(known)).toBe(known);
  }
});

const device = { hwid: 'device', zone: undefined };

test.each([
  ['nothing', { hwid: undefined, zone: 'z' }, state(), true],
  ['device and zone', { hwid: 'device', zone: 'z' }, state(), false],
  ['a device whose run was begun here', device, state({ run: run(2) }), false],
  ['a device whose run was begun elsewhere', device, state({ run: run(2, { own: false }) }), true],
  ['a device without a run', device, state(), true],
  ['a device that the server is being asked about', device, undefined, false],
] as const)('decides whether a visitor with %s has to start in the app', (_what, visitor, known, expected) => {
  expect(isUnknownDevice(visitor, { state: known, serverOffsetMs: 0 })).toBe(expected);
});
