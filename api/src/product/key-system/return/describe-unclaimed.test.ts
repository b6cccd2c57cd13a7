import { expect, test } from 'vitest';
import type { AttemptRow, RunRow } from '#api/foundation/db/schema.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeUnclaimed } from './return-visit.ts';

const RUN = { appId: 'main', step: 2, state: 'open', expiresAt: T0 + 2 } as const;
const ATTEMPT = { step: 2, advertiserId: 'workink', state: 'issued', expiresAt: T0 + 1, reason: null } as const;

const SAME_STEP = { page: 'step', step: 2, advertiser: 'workink' } as const;
const page = (destination: object) => ({ kind: 'destination', destination });
const WAIT_RESULT = { kind: 'wait', waitMs: 3000 };

test.each<{ what: string; attempt?: Partial<AttemptRow>; run?: Partial<RunRow>; at?: number; leadsTo: object }>([
  {
    what: 'rejected',
    attempt: { state: 'rejected', reason: 'KS_PROOF' },
    leadsTo: page({ page: 'bypass', reason: 'KS_PROOF' }),
  },
  {
    what: 'rejected for an unknown reason',
    attempt: { state: 'rejected', reason: 'gone' },
    leadsTo: page({ ...SAME_STEP, notice: 'KS_EXPIRED' }),
  },
  { what: 'of a run that has its key', run: { state: 'completed' }, leadsTo: page({ page: 'getkey' }) },
  {
    what: 'of a run whose time is over',
    at: T0 + 2,
    leadsTo: page({ page: 'step', step: 1, begins: true, notice: 'KS_EXPIRED' }),
  },
  { what: 'that another tab has', attempt: { state: 'checking' }, leadsTo: WAIT_RESULT },
  { what: 'that another tab has just released', leadsTo: WAIT_RESULT },
  {
    what: 'that was released after another finished its step',
    attempt: { step: 1 },
    leadsTo: page({ ...SAME_STEP, notice: 'KS_STEP' }),
  },
  {
    what: 'that is checked after another finished its step',
    attempt: { step: 1, state: 'checking' },
    leadsTo: WAIT_RESULT,
  },
  {
    what: 'of a run that was ended',
    run: { state: 'cancelled' },
    leadsTo: page({ page: 'step', step: 1, begins: true, notice: 'KS_EXPIRED' }),
  },
  { what: 'whose time is over', at: T0 + 1, leadsTo: page({ ...SAME_STEP, notice: 'KS_EXPIRED' }) },
  {
    what: 'that waits for its postback',
    attempt: { state: 'awaiting_postback' },
    leadsTo: page({ ...SAME_STEP, wait: true }),
  },
  {
    what: 'that has waited too long for its postback',
    attempt: { state: 'awaiting_postback' },
    at: T0 + 1,
    leadsTo: page({ ...SAME_STEP, notice: 'KS_EXPIRED' }),
  },
  { what: 'that is credited', attempt: { state: 'verified' }, leadsTo: page(SAME_STEP) },
  { what: 'that was superseded', attempt: { state: 'superseded' }, leadsTo: page({ ...SAME_STEP, notice: 'KS_STEP' }) },
  {
    what: 'whose advertiser did not answer',
    attempt: { state: 'expired', reason: 'KS_PROVIDER_DOWN' },
    leadsTo: page({ ...SAME_STEP, notice: 'KS_PROVIDER_DOWN' }),
  },
])('a return to an attempt $what leads to $leadsTo', ({ attempt, run, at = T0, leadsTo }) => {
  expect(describeUnclaimed({ ...ATTEMPT, ...attempt }, { ...RUN, ...run }, at)).toEqual(leadsTo);
});
