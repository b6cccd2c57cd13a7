import { expect, test } from 'vitest';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { clientOf, createFixture, DWELL_MS, VISITOR } from '#api/test/product/key-system-fixture.ts';
import { sealAudit } from '#api/test/sealed.ts';

describeEachDatabase('audit of a run', (db) => {
  /** The whole audit, oldest first, without the device. */
  async function readRecord(device: string) {
    await sealAudit(db());
    const events = await db()
      .selectFrom('auditEvent')
      .select(['at', 'kind', 'code', 'subject', 'detail'])
      .orderBy('seq')
      .execute();
    expect(new Set(events.map(({ subject }) => subject))).toEqual(new Set([device]));
    return events.map(({ at, kind, code, detail }) => [at - T0, kind, code, JSON.parse(detail)] as const);
  }

  test('the audit of a run has its opening, move, credited steps, completion and key', async () => {
    const fixture = createFixture(db());
    await fixture.passCaptcha();
    await fixture.leave();
    await db().updateTable('run').set({ stepsRequired: 1 }).execute();
    await fixture.walkStep({ visitor: { ...VISITOR, zone: 'new' } });

    const { id: run, deviceId } = await fixture.run();
    const { jti } = await db().selectFrom('accessKey').select('jti').executeTakeFirstOrThrow();
    expect(await readRecord(deviceId)).toEqual([
      [0, 'run', 'opened', { run, app: 'main', os: 'android' }],
      [0, 'run', 'moved', { run }],
      [DWELL_MS, 'attempt', 'verified', { run, step: 1, advertiser: 'linkvertise' }],
      [DWELL_MS, 'run', 'completed', { run }],
      [DWELL_MS, 'key', 'issued', { run, jti, app: 'main' }],
    ]);
  });

  test('threat 16: the audit has the strikes of a stranger and of the owner, and the cancellation by the owner only', async () => {
    const fixture = createFixture(db());
    await fixture.passCaptcha();
    await fixture.startStep();
    await db().updateTable('stepAttempt').set({ providerRef: 'used' }).execute();
    fixture.says.verdict = { verdict: 'confirmed', ref: 'used' };
    await fixture.walkStep({ by: clientOf('stranger', 'elsewhere') });
    await fixture.walkStep();
    await fixture.startStep();

    const { id: run, deviceId } = await fixture.run();
    const rejected = (await fixture.attempts()).filter(({ state }) => state === 'rejected').map(({ id }) => id);
    const refusal = (attempt: string | undefined) => ({ run, attempt, step: 1, advertiser: 'linkvertise' });
    expect(await readRecord(deviceId)).toEqual([
      [0, 'run', 'opened', { run, app: 'main', os: 'android' }],
      [DWELL_MS, 'strike', 'KS_REUSE', refusal(rejected[0])],
      [2 * DWELL_MS, 'strike', 'KS_REUSE', refusal(rejected[1])],
      [2 * DWELL_MS, 'run', 'cancelled', { run }],
    ]);
    expect(await fixture.run()).toMatchObject({ state: 'cancelled', updatedAt: T0 + 2 * DWELL_MS });
  });
});
