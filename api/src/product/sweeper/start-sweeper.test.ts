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

describeEachDatabase('a server that starts', (db) => {
  test('it credits what was confirmed in time before tickets end that ran out while no server was there', async () => {
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

  test('what was confirmed does not expire: neither with a check that the dead process held, nor before its credit succeeds', async () => {
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const { id, expiresAt } = await insertAttempt(db(), run, { advertiserId: 'lootlabs' });
    const held = await insertAttempt(db(), run);
    await attempts.claim(held.tokenHash, 'dead', held.notBefore);
    await attempts.notePostback(id, 'task-1', T0 + 1);

    await releaseStaleClaims({ db: db(), instance: 'dead', limits: DEFAULT_LIMITS, at: expiresAt });
    expect(await attempts.findById(held.id)).toMatchObject({ state: 'expired' });
    expect(await attempts.findById(id)).toMatchObject({ state: 'issued' });

    await expireRun({ db: db() }, run.id, { at: expiresAt, claimedBefore: expiresAt });
    const server = { ...buildCrediting(db()), now: () => expiresAt };
    expect(await creditConfirmed(server, 10)).toBe(1);
    expect(await createRunsRepository(db()).find(run.id)).toMatchObject({ step: 2 });
  });
});
