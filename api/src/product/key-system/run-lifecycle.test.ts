import { expect, test } from 'vitest';
import type { AttemptRow, AttemptState, Db, RunState } from '#api/foundation/db/schema.ts';
import { insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createAttemptsRepository } from './attempts.repository.ts';
import {
  ATTEMPT_TRANSITIONS,
  isClaimable,
  isEarly,
  isLive,
  isOpen,
  RUN_TRANSITIONS,
  runExpiry,
  type AttemptTransition,
  type RunTransition,
} from './run-lifecycle.ts';
import { createRunsRepository } from './runs.repository.ts';

const RUN_STATES: RunState[] = ['open', 'completed', 'expired', 'cancelled', 'blocked'];
const ATTEMPT_STATES: AttemptState[] = [
  'issued',
  'checking',
  'awaiting_postback',
  'verified',
  'rejected',
  'superseded',
  'expired',
];

/** Each move as a line of its name and its states. */
const linesOf = (moves: Record<string, { from: readonly string[]; to: string }>) =>
  Object.entries(moves).map(([name, { from, to }]) => `${name}: ${from.join(', ')} > ${to}`);

test('a run changes from "open" to a final state only once', () => {
  expect(linesOf(RUN_TRANSITIONS)).toEqual([
    'complete: open > completed',
    'expire: open > expired',
    'cancel: open > cancelled',
    'block: open > blocked',
  ]);
});

test('an attempt allows only the listed state transitions', () => {
  expect(linesOf(ATTEMPT_TRANSITIONS)).toEqual([
    'claim: issued > checking',
    'keepProof: checking > issued',
    'release: checking > issued',
    'giveUp: checking > expired',
    'awaitPostback: checking > awaiting_postback',
    'verify: issued, checking, awaiting_postback > verified',
    'spend: issued, checking, awaiting_postback > superseded',
    'supersede: issued, awaiting_postback > superseded',
    'reject: checking > rejected',
    'rejectEarly: issued > rejected',
    'withdraw: issued > expired',
    'expire: issued, awaiting_postback > expired',
  ]);
});

test('a run is open while its state is open and it has not expired', () => {
  const goingOn = (at: number) => RUN_STATES.filter((state) => isOpen({ state, expiresAt: T0 }, at));

  expect([goingOn(T0 - 1), goingOn(T0)]).toEqual([['open'], []]);
});

test('an issued or awaiting attempt is live until its expiry', () => {
  const live = (at: number) => ATTEMPT_STATES.filter((state) => isLive({ state, expiresAt: T0 }, at));

  expect([live(T0 - 1), live(T0)]).toEqual([['issued', 'awaiting_postback'], []]);
});

test('an issued attempt can be claimed until its expiry', () => {
  const claimable = (at: number) => ATTEMPT_STATES.filter((state) => isClaimable({ state, expiresAt: T0 }, at));

  expect([claimable(T0 - 1), claimable(T0)]).toEqual([['issued'], []]);
});

test('a return is early before notBefore of an issued attempt', () => {
  const early = (at: number) => ATTEMPT_STATES.filter((state) => isEarly({ state, notBefore: T0 }, at));

  expect([early(T0 - 1), early(T0)]).toEqual([['issued'], []]);
});

test('a run expires after its idle timeout and at the latest after its maximum duration', () => {
  const limits = { runIdleMs: 10, runMaxMs: 50 };

  expect([runExpiry(limits, 1000, 1000), runExpiry(limits, 1000, 1040), runExpiry(limits, 1000, 1041)]).toEqual([
    1010, 1050, 1050,
  ]);
});

describeEachDatabase('state transitions in SQL', (db) => {
  type Row = { id: string; deviceId: string; expiresAt: number };
  const runs = () => createRunsRepository(db());
  const attempts = () => createAttemptsRepository(db());
  const BACK = T0 + 20_000;

  const moveRun: Record<RunTransition, (run: Row) => Promise<unknown>> = {
    complete: ({ id }) => runs().complete(id, 1, BACK),
    expire: async ({ id, deviceId, expiresAt }) => {
      await runs().expire(id, expiresAt);
      await runs().expireOfDevice(deviceId, expiresAt);
    },
    cancel: ({ id }) => runs().cancel(id, BACK),
    block: ({ deviceId }) => runs().blockOfDevice(deviceId, BACK),
  };

  const claimOf = async (id: string) => (await attempts().findById(id)) as AttemptRow;
  type Ticket = { id: string; runId: string; tokenHash: string; expiresAt: number };
  const moveAttempt: Record<AttemptTransition, (attempt: Ticket) => Promise<unknown>> = {
    claim: ({ tokenHash }) => attempts().claim(tokenHash, 'test server', BACK),
    keepProof: ({ id }) => attempts().keepProof(id, 'ref', BACK),
    release: async ({ id }) => attempts().release(await claimOf(id)),
    giveUp: async ({ id }) => attempts().giveUp(await claimOf(id), null),
    awaitPostback: ({ id }) => attempts().awaitPostback(id),
    verify: ({ id, runId }) => attempts().verify({ id, runId, step: 1 }, 'ref', BACK),
    spend: ({ id }) => attempts().spend(id, 'ref'),
    supersede: async ({ id, runId }) => {
      await attempts().supersede([id]);
      await attempts().verify({ id: 'another', runId, step: 1 }, 'ref', BACK);
    },
    reject: ({ id }) => attempts().reject(id, 'KS_PROOF', BACK),
    rejectEarly: ({ id }) => attempts().reject(id, 'KS_FAST', BACK),
    withdraw: ({ id }) => attempts().withdraw(id),
    expire: ({ runId, expiresAt }) => attempts().expireOfRun(runId, expiresAt),
  };

  const stateOf = async (table: 'run' | 'stepAttempt', id: string, on: Db = db()) =>
    (await on.selectFrom(table).select('state').where('id', '=', id).executeTakeFirstOrThrow()).state;

  test.each(Object.keys(RUN_TRANSITIONS) as RunTransition[])(
    'the run transition %s applies in the listed states only',
    async (move) => {
      for (const from of RUN_STATES) {
        const run = await insertRun(db(), { hwidHmac: `${move} ${from}` });
        await db().updateTable('run').set({ state: from }).where('id', '=', run.id).execute();

        await moveRun[move](run);

        const allowed: readonly RunState[] = RUN_TRANSITIONS[move].from;
        expect(await stateOf('run', run.id), from).toBe(allowed.includes(from) ? RUN_TRANSITIONS[move].to : from);
      }
    },
  );

  test.each(Object.keys(ATTEMPT_TRANSITIONS) as AttemptTransition[])(
    'the attempt transition %s applies in the listed states only',
    async (move) => {
      for (const from of ATTEMPT_STATES) {
        const attempt = await insertAttempt(db(), await insertRun(db(), { hwidHmac: `${move} ${from}` }));
        await db().updateTable('stepAttempt').set({ state: from }).where('id', '=', attempt.id).execute();

        await moveAttempt[move](attempt);

        const allowed: readonly AttemptState[] = ATTEMPT_TRANSITIONS[move].from;
        expect(await stateOf('stepAttempt', attempt.id), from).toBe(
          allowed.includes(from) ? ATTEMPT_TRANSITIONS[move].to : from,
        );
        await db().updateTable('stepAttempt').set({ providerRef: null }).execute();
      }
    },
  );
});
