import type { RunState } from '@app/contracts/key-system-schemas';
import { expect, test } from 'vitest';
import { isStranger } from './is-stranger.ts';
import type { RunReading } from './use-run-state.ts';

const RUN = { step: 2, of: 6, series: 1, completed: [], waiting: false, zone: 'same' as const, expiresAt: 2_000 };
const reading = (run: RunState['run']): RunReading => ({
  status: 'ready',
  serverOffsetMs: 0,
  state: { app: 'main', run, key: null, cooldown: null, advertisers: [], stepsRequired: 6, now: 1_000 },
});

test.each([
  ['nothing', { hwid: undefined, zone: 'z' }, reading(null), true],
  ['device and zone', { hwid: 'device', zone: 'z' }, reading(null), false],
  ['a device whose run was begun here', { hwid: 'device', zone: undefined }, reading({ ...RUN, own: true }), false],
  [
    'a device whose run was begun elsewhere',
    { hwid: 'device', zone: undefined },
    reading({ ...RUN, own: false }),
    true,
  ],
  ['a device without a run', { hwid: 'device', zone: undefined }, reading(null), true],
  ['a device that the server is being asked about', { hwid: 'device', zone: undefined }, { status: 'loading' }, false],
] as const)('who brings %s', (_what, visitor, told, expected) => {
  expect(isStranger(visitor, told)).toBe(expected);
});
