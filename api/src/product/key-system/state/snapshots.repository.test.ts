import { expect, test } from 'vitest';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { buildKey, creditStep, insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createAttemptsRepository, createStrikesRepository } from '#api/product/key-system/attempts.repository.ts';
import { createSnapshotsRepository } from './snapshots.repository.ts';

const BACK = T0 + 20_000;
const HOUR = 60 * 60 * 1000;

describeEachDatabase('snapshots of a device', (db) => {
  const read = (at = BACK) => createSnapshotsRepository(db()).read('main', 'hwid', at, { windowMs: at - T0 });
  const browser = (hmac: string) => ({ browser: { hmac, since: 0 }, networks: ['network', 'yesterday'] as const });

  test('the snapshot of an unknown device has only the app and the advertisers', async () => {
    await insertRun(db(), { hwidHmac: 'other' });

    const { advertisers, ...device } = await read();

    const columns = ['id', 'enabled', 'proof', 'minDwellMs', 'failingSince', 'usualMs', 'finishedPercent'] as const;
    expect(advertisers).toEqual(await db().selectFrom('advertiser').select(columns).orderBy('id').execute());
    expect(device).toEqual({
      stepsRequired: 6,
      usualRunMs: null,
      name: null,
      scheme: null,
      colour: null,
      offered: null,
      blockReason: null,
      blockedUntil: null,
      runs: [],
      attempts: [],
      keys: [],
      lastKeyExpiresAt: null,
      strikes: [],
      periods: [],
    });
  });

  test('a snapshot of an unknown app throws', async () => {
    const snapshots = createSnapshotsRepository(db());

    await expect(snapshots.read('none', 'hwid', T0, { windowMs: 0 })).rejects.toMatchObject({
      code: 'KS_APP',
    });
  });

  test('a snapshot leaves out runs in other apps', async () => {
    await insertRun(db(), { appId: 'companion' });

    expect(await read()).toMatchObject({ stepsRequired: 6, runs: [] });
  });

  test('a snapshot lists open runs until their expiry, the newest first', async () => {
    const first = await insertRun(db(), { by: browser('one') });
    const { id } = await insertRun(db(), { by: browser('two'), zoneHmac: 'other zone', isParallel: true, at: T0 + 1 });

    const { runs } = await read();

    expect(runs.map((run) => run.id)).toEqual([id, first.id]);
    expect(first).toMatchObject({ ...runs[1] });
    expect(Object.keys(runs[1] ?? {})).toHaveLength(11);
    expect((await read(T0 + HOUR)).runs.map((run) => run.id)).toEqual([id]);
  });

  test('a snapshot lists credited attempts by step and awaiting attempts until their expiry', async () => {
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);
    await creditStep(db(), { attempt, run, providerRef: 'ref', at: BACK });
    const waiting = await insertAttempt(db(), { ...run, step: 2 }, { advertiserId: 'lootlabs' });
    await createAttemptsRepository(db()).claim(waiting.tokenHash, 'test server', BACK);
    await createAttemptsRepository(db()).awaitPostback(waiting.id);
    await insertAttempt(db(), { ...run, step: 2 });

    const verified = { runId: run.id, step: 1, state: 'verified', advertiserId: 'linkvertise', verifiedAt: BACK };
    const awaiting = {
      runId: run.id,
      step: 2,
      state: 'awaiting_postback',
      advertiserId: 'lootlabs',
      verifiedAt: null,
    };
    expect((await read()).attempts).toEqual([verified, awaiting]);
    expect((await read(waiting.expiresAt)).attempts).toEqual([verified]);
  });

  test('a snapshot lists valid keys by expiry and has the end of the last key', async () => {
    const [one, two, revoked] = [
      await insertRun(db(), { by: browser('one') }),
      await insertRun(db(), { by: browser('two'), zoneHmac: 'other zone', isParallel: true }),
      await insertRun(db(), { by: browser('three'), zoneHmac: 'third zone', isParallel: true }),
    ];
    const keys = createKeysRepository(db());
    await keys.insert(buildKey(one, { expiresAt: T0 + HOUR, fetchedAt: T0 }));
    await keys.insert(buildKey(two, { expiresAt: T0 + 2 * HOUR }));
    await keys.insert(buildKey(revoked, { expiresAt: T0 + 3 * HOUR, revokedAt: T0 }));

    expect((await read()).keys).toEqual([
      { runId: two.id, expiresAt: T0 + 2 * HOUR, fetchedAt: null, zoneHmac: 'other zone', visitorHmac: 'two' },
      { runId: one.id, expiresAt: T0 + HOUR, fetchedAt: T0, zoneHmac: 'zone', visitorHmac: 'one' },
    ]);
    expect(await read(T0 + 2 * HOUR)).toMatchObject({ keys: [], lastKeyExpiresAt: T0 + 2 * HOUR });
  });

  test('a snapshot lists the strikes within the window and the block', async () => {
    const { deviceId } = await insertRun(db());
    const strike = { deviceId, visitorHmac: 'browser', ipHmac: 'network', code: 'KS_PROOF', weight: 2 };
    const strikes = createStrikesRepository(db());
    for (const at of [T0, T0 + 1]) await strikes.add({ ...strike, id: String(at), at });
    await db().updateTable('device').set({ blockReason: '[1]', blockedUntil: T0 }).execute();

    expect(await read()).toMatchObject({
      blockReason: '[1]',
      blockedUntil: T0,
      strikes: [{ visitorHmac: 'browser', ipHmac: 'network', code: 'KS_PROOF', weight: 2, at: T0 + 1 }],
    });
    expect(await strikes.listSince(deviceId, T0)).toEqual([{ ...strike, id: String(T0 + 1), at: T0 + 1 }]);
    expect(await strikes.listSince('another device', T0)).toEqual([]);
  });
});
