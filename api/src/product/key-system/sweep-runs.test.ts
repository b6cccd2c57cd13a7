import { expect, test } from 'vitest';
import { SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import type { AttemptRow, AttemptState, RunRow, RunState } from '#api/foundation/db/schema.ts';
import { buildCrediting, creditStep, insertAttempt, insertRun, ANONYMOUS, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase, describeRace, runConcurrently } from '#api/test/databases/describe-each-database.ts';
import { watchStatements } from '#api/test/databases/watch-statements.ts';
import { sealAudit } from '#api/test/sealed.ts';
import { createAttemptsRepository } from './attempts.repository.ts';
import { blockDevices } from './block-devices.ts';
import { creditConfirmed, expireRun, runSequentially } from './sweep-runs.ts';
import { rejectAttempt } from './return/return-visit.ts';
import { createRunsRepository } from './runs.repository.ts';

const SERVER = 'test server';
/** When the attempts of these builders may be credited, and when their tickets end. */
const DUE_AT = T0 + 10_000;
const TICKET_EXPIRY = T0 + 900_000;
const RUN_EXPIRY = T0 + 60 * 60_000;

/** The statement that lists the attempts to credit. */
const LIST_OF_CONFIRMED = /from "step_attempt".* limit/;

type Db = Parameters<typeof creditStep>[0];

/** A server at one time of its clock. */
function serverAt(db: Db, at: number) {
  return {
    ...buildCrediting(db),
    now: () => at,
  };
}

/** An attempt that LootLabs confirmed before it could count. */
async function insertCalled(db: Db, run: RunRow, task = 'task-1'): Promise<AttemptRow> {
  const attempt = await insertAttempt(db, run, { advertiserId: 'lootlabs' });
  await createAttemptsRepository(db).notePostback(attempt.id, task, T0 + 1);
  return attempt;
}

/** An attempt whose visitor was back too early, with a token that the advertiser confirmed. */
async function insertKept(db: Db, run: RunRow): Promise<AttemptRow> {
  const attempts = createAttemptsRepository(db);
  const attempt = await insertAttempt(db, run);
  await attempts.claimEarly(attempt.tokenHash, SERVER, T0 + 1);
  await attempts.keepProof(attempt.id, 'hash', T0 + 1);
  return attempt;
}

/** An attempt that waits for its postback. A server stored the postback and then ended. */
async function insertAwaiting(db: Db, run: RunRow): Promise<AttemptRow> {
  const attempts = createAttemptsRepository(db);
  const attempt = await insertAttempt(db, run, { advertiserId: 'lootlabs' });
  await attempts.claim(attempt.tokenHash, SERVER, DUE_AT);
  await attempts.awaitPostback(attempt.id);
  await attempts.notePostback(attempt.id, 'task-1', DUE_AT);
  return attempt;
}

describeEachDatabase('background credit of confirmed attempts', (db) => {
  const credit = (at: number, limit = 10) => creditConfirmed(serverAt(db(), at), limit);
  const find = async (run: RunRow, attempt: AttemptRow) => ({
    step: (await createRunsRepository(db()).find(run.id))?.step,
    run: (await createRunsRepository(db()).find(run.id))?.state,
    attempt: (await createAttemptsRepository(db()).findById(attempt.id))?.state,
  });
  const countRecorded = async (code: string) =>
    (await (await sealAudit(db())).selectFrom('auditEvent').select('seq').where('code', '=', code).execute()).length;

  test.each([
    { what: 'an early call', insert: insertCalled, ref: 'task-1' },
    { what: 'an early token', insert: insertKept, ref: 'hash' },
  ])('threat 9: $what is credited once after the minimum time without another visit', async ({ insert, ref }) => {
    const run = await insertRun(db());
    const attempt = await insert(db(), run);

    expect(await credit(DUE_AT - 1)).toBe(0);
    expect(await find(run, attempt)).toEqual({ step: 1, run: 'open', attempt: 'issued' });

    expect(await credit(DUE_AT)).toBe(1);
    expect(await find(run, attempt)).toEqual({ step: 2, run: 'open', attempt: 'verified' });
    expect(await createAttemptsRepository(db()).findById(attempt.id)).toMatchObject({
      verifiedAt: DUE_AT,
      providerRef: ref,
    });

    expect(await credit(DUE_AT + 1)).toBe(0);
    expect(await find(run, attempt)).toEqual({ step: 2, run: 'open', attempt: 'verified' });
    expect(await countRecorded('verified')).toBe(1);
  });

  test('threat 11: a postback stored by a server before it died is credited', async () => {
    const run = await insertRun(db());
    const attempt = await insertAwaiting(db(), run);

    await credit(DUE_AT);

    expect(await find(run, attempt)).toEqual({ step: 2, run: 'open', attempt: 'verified' });
  });

  test('a confirmed attempt is credited after its ticket has expired', async () => {
    const run = await insertRun(db());
    const attempt = await insertCalled(db(), run);

    await credit(TICKET_EXPIRY);

    expect(await find(run, attempt)).toEqual({ step: 2, run: 'open', attempt: 'verified' });
  });

  test('threat 4: crediting a last step gives one key', async () => {
    const run = await insertRun(db(), { stepsRequired: 1 });
    await insertCalled(db(), run);

    await credit(DUE_AT);
    await credit(DUE_AT);

    expect(await createRunsRepository(db()).find(run.id)).toMatchObject({ state: 'completed' });
    expect(await db().selectFrom('accessKey').select('runId').execute()).toEqual([{ runId: run.id }]);
  });

  test('an unconfirmed attempt is not credited', async () => {
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run, { advertiserId: 'lootlabs' });

    expect(await credit(DUE_AT)).toBe(0);
    expect(await find(run, attempt)).toEqual({ step: 1, run: 'open', attempt: 'issued' });
  });

  test.each<AttemptState>(['checking', 'rejected', 'superseded', 'expired'])(
    'threat 10: a confirmed attempt that became %s is not credited',
    async (state) => {
      const run = await insertRun(db());
      const attempt = await insertCalled(db(), run);
      await db().updateTable('stepAttempt').set({ state }).execute();

      expect(await credit(DUE_AT)).toBe(0);
      expect(await find(run, attempt)).toEqual({ step: 1, run: 'open', attempt: state });
    },
  );

  test.each<RunState>(['expired', 'cancelled', 'blocked'])(
    'threat 10: a confirmed attempt of a run that became %s gives neither step nor key and is not listed again',
    async (state) => {
      const run = await insertRun(db(), { stepsRequired: 1 });
      await insertCalled(db(), run);
      await db().updateTable('run').set({ state }).execute();

      expect(await credit(DUE_AT)).toBe(1);
      expect(await createRunsRepository(db()).find(run.id)).toMatchObject({ state, step: 1 });
      expect(await db().selectFrom('accessKey').selectAll().execute()).toEqual([]);
      expect(await countRecorded('verified')).toBe(0);
      expect(await credit(DUE_AT)).toBe(0);
    },
  );

  test('threat 10: nothing is credited after the expiry of the run, even if it is still stored as open', async () => {
    const run = await insertRun(db());
    const attempt = await insertCalled(db(), run);

    await credit(RUN_EXPIRY);

    expect(await find(run, attempt)).toEqual({ step: 1, run: 'open', attempt: 'superseded' });
  });

  test.each<{ what: string; meanwhile: (run: RunRow, attempt: AttemptRow) => Promise<unknown>; step: number }>([
    {
      what: 'its visitor is back and credited',
      meanwhile: async (run, attempt) => {
        const claimed = await createAttemptsRepository(db()).claim(attempt.tokenHash, SERVER, DUE_AT);
        await creditStep(db(), { attempt: claimed ?? attempt, run, providerRef: null, at: DUE_AT });
      },
      step: 2,
    },
    {
      what: 'it is rejected',
      meanwhile: (run, attempt) =>
        rejectAttempt({ db: db(), now: () => DUE_AT }, { attempt, run, by: ANONYMOUS }, 'KS_FAST'),
      step: 1,
    },
    {
      what: 'its device is blocked',
      meanwhile: (run) =>
        blockDevices({ db: db() }, [run.deviceId], { reason: 'shares keys', until: null }, { by: 'ada', at: DUE_AT }),
      step: 1,
    },
    {
      what: 'its ticket runs out',
      meanwhile: (run) => expireRun({ db: db() }, run.id, { at: TICKET_EXPIRY, claimedBefore: 0 }),
      step: 2,
    },
  ])('a run is at step $step when $what after its attempt was listed', async ({ meanwhile, step }) => {
    const run = await insertRun(db());
    const attempt = await insertCalled(db(), run);
    const { db: watched, afterNext } = watchStatements(db());
    afterNext(LIST_OF_CONFIRMED, () => meanwhile(run, attempt));

    await creditConfirmed(serverAt(watched, DUE_AT), 10);

    expect(await createRunsRepository(db()).find(run.id)).toMatchObject({ step });
    expect(await countRecorded('verified')).toBe(step - 1);
  });

  test('a last step waits for the signer while other steps are credited', async () => {
    const last = await insertRun(db(), { stepsRequired: 1 });
    const other = await insertRun(db(), { hwidHmac: 'other' });
    await insertCalled(db(), last, 'task-1');
    await insertCalled(db(), other, 'task-2');
    const unsigned = () => Promise.reject(new SignerUnavailable('The signer is away.'));

    await expect(creditConfirmed({ ...serverAt(db(), DUE_AT), keys: { prepare: unsigned } }, 10)).rejects.toThrow(
      'away',
    );
    expect(await createRunsRepository(db()).find(other.id)).toMatchObject({ step: 2 });
    expect(await createRunsRepository(db()).find(last.id)).toMatchObject({ step: 1 });
    expect(await credit(DUE_AT)).toBe(1);
    expect(await createRunsRepository(db()).find(last.id)).toMatchObject({ state: 'completed' });
  });

  test('the number of credits per sweep is limited, and two simultaneous servers credit each attempt once', async () => {
    for (let count = 0; count < 7; count++)
      await insertCalled(db(), await insertRun(db(), { hwidHmac: `device-${String(count)}` }), `task-${String(count)}`);

    expect(await credit(DUE_AT, 2)).toBe(2);
    expect(await countRecorded('verified')).toBe(2);
    await Promise.all([credit(DUE_AT), credit(DUE_AT)]);

    expect(await countRecorded('verified')).toBe(7);
    expect((await db().selectFrom('run').select('step').execute()).map(({ step }) => step)).toEqual(Array(7).fill(2));
  });
});

describeRace('background credit during a block by an operator', (db) => {
  test('a device that is being blocked receives no credit', async () => {
    const run = await insertRun(db());
    await insertCalled(db(), run);
    const block = (trx: Db) => createRunsRepository(trx).blockOfDevice(run.deviceId, DUE_AT);

    await runConcurrently(db(), block, () => creditConfirmed(serverAt(db(), DUE_AT), 10));

    expect(await createRunsRepository(db()).find(run.id)).toMatchObject({ state: 'blocked', step: 1 });
  });
});

/** Tries some items, of which those named fail; returns what was tried, and what came of it. */
async function tryAll(items: readonly string[], failing: readonly string[]) {
  const tried: string[] = [];
  const outcome = await runSequentially(items, async (item) => {
    await Promise.resolve();
    tried.push(item);
    if (failing.includes(item)) throw new Error(item);
  }).catch((error: unknown) => error);
  return { tried, outcome };
}

test('a failed credit does not stop other credits and is thrown at the end', async () => {
  expect(await tryAll(['a', 'b', 'c'], ['a'])).toEqual({ tried: ['a', 'b', 'c'], outcome: new Error('a') });
  expect(await tryAll(['a', 'b'], [])).toEqual({ tried: ['a', 'b'], outcome: undefined });
});

test('after three failed credits the remaining ones are skipped', async () => {
  expect(await tryAll(['a', 'b', 'c', 'd'], ['a', 'b', 'c'])).toEqual({
    tried: ['a', 'b', 'c'],
    outcome: new Error('a'),
  });
});
