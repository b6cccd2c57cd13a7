import { pino } from 'pino';
import { expect, test } from 'vitest';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createAuditTrust } from '#api/foundation/audit/audit-trust.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { creditConfirmed, expireRun } from '#api/product/key-system/sweep-runs.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';
import { buildCrediting, insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { releaseStaleClaims } from './release-stale-claims.ts';
import { createSweep } from './sweeper.ts';

describeEachDatabase('sweeps at the start of a server', (db) => {
  test('confirmed attempts are credited before expired ones end', async () => {
    const attempts = createAttemptsRepository(db());
    const runs = createRunsRepository(db());
    const run = await insertRun(db());
    const { id, expiresAt } = await insertAttempt(db(), run, { advertiserId: 'lootlabs' });
    const unconfirmed = await insertAttempt(db(), await insertRun(db(), { hwidHmac: 'other' }));
    await attempts.notePostback(id, 'task-1', T0 + 1);
    const server = { ...buildCrediting(db()), attempts, runs, now: () => expiresAt };
    const signingKey = readSigningKey(generateSigningKey('test-key'));

    const sweep = createSweep({
      db: db(),
      limits: DEFAULT_LIMITS,
      creditConfirmed: (limit) => creditConfirmed(server, limit),
      remindOwners: () => Promise.resolve(0),
      fillMailboxes: () => Promise.resolve(0),
      countedUntil: () => Promise.resolve(Infinity),
      signingKey: () => signingKey,
      auditTrust: createAuditTrust(makeFolder()),
      log: pino({ enabled: false }),
      now: server.now,
    });
    await sweep(new AbortController().signal);

    expect(await attempts.findById(unconfirmed.id)).toMatchObject({ state: 'expired' });
    expect(await attempts.findById(id)).toMatchObject({ state: 'verified' });
    expect(await runs.find(run.id)).toMatchObject({ step: 2 });
  });

  test('a starting server ends the checks of its dead process, keeps those of other servers, and does not expire confirmed attempts', async () => {
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const { id, expiresAt } = await insertAttempt(db(), run, { advertiserId: 'lootlabs' });
    const [asked, kept, others] = [
      await insertAttempt(db(), run),
      await insertAttempt(db(), run),
      await insertAttempt(db(), await insertRun(db(), { hwidHmac: 'other' })),
    ];
    await db().updateTable('stepAttempt').set({ proofAt: T0 }).where('id', '=', kept.id).execute();
    for (const held of [asked, kept]) await attempts.claim(held.tokenHash, 'dead', held.notBefore);
    await attempts.claim(others.tokenHash, 'another server', others.notBefore);
    await attempts.notePostback(id, 'task-1', T0 + 1);

    await releaseStaleClaims({ db: db(), instance: 'dead', limits: DEFAULT_LIMITS, at: T0 + 20_000 });
    expect(await attempts.findById(asked.id)).toMatchObject({ state: 'expired' });
    expect(await attempts.findById(kept.id)).toMatchObject({ state: 'issued' });
    expect(await attempts.findById(others.id)).toMatchObject({ state: 'checking' });

    await expireRun({ db: db() }, run.id, { at: expiresAt, claimedBefore: expiresAt });
    expect(await attempts.findById(id)).toMatchObject({ state: 'issued' });
    expect(await creditConfirmed({ ...buildCrediting(db()), now: () => expiresAt }, 10)).toBeGreaterThan(0);
    expect(await createRunsRepository(db()).find(run.id)).toMatchObject({ step: 2 });
  });
});
