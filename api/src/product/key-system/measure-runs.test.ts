import { randomUUID } from 'node:crypto';
import type { AppId } from '@app/contracts/key-system';
import { expect, test } from 'vitest';
import type { NewRun } from '#api/foundation/db/schema.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { buildCrediting, insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { completeStep } from './return/complete-step.ts';
import { measureRuns } from './sweep-runs.ts';
import { readUsualRun } from './state/read-state.ts';
import { createSnapshotsRepository } from './state/snapshots.repository.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Durations in minutes, one for each run. */
const runsUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const runsOf = (count: number, minutes: number) => Array.from({ length: count }, () => minutes);

describeEachDatabase('usual duration of runs', (db) => {
  let inserted = 0;

  /** Runs that took so many minutes, each completed a second after the one before, by default each of its own network. */
  async function addRuns(took: readonly number[], changes: Partial<NewRun> = {}): Promise<void> {
    const appId = changes.appId ?? 'main';
    const device = await createDevicesRepository(db()).ensure(appId, 'hwid', T0);
    const rows = took.map((minutes): NewRun => {
      const completedAt = T0 + ++inserted * 1000;
      return {
        id: randomUUID(),
        appId,
        deviceId: device.id,
        zoneHmac: 'zone',
        sealedSubject: 'sealed',
        os: 'android',
        stepsRequired: 6,
        state: 'completed',
        ipHmac: randomUUID(),
        createdAt: completedAt - minutes * MINUTE,
        updatedAt: completedAt,
        expiresAt: completedAt,
        completedAt,
        ...changes,
      };
    });
    await db().insertInto('run').values(rows).execute();
  }

  /** What a page is told, in minutes. */
  async function usual(appId: AppId = 'main'): Promise<number | null> {
    await measureRuns({ db: db(), now: () => T0 + HOUR });
    const { usualRunMs } = await createSnapshotsRepository(db()).read(appId, 'hwid', T0, { windowMs: 0 });
    return usualRunMs && usualRunMs / MINUTE;
  }

  test('the usual duration ignores runs that were completed before their start or in the future', async () => {
    await addRuns(runsOf(100, 8));
    await addRuns(runsOf(120, -60));
    await addRuns(runsOf(500, 300), { completedAt: T0 + 24 * HOUR });
    expect(await usual()).toBe(8);
    expect(await readUsualRun(db(), 'main')).toEqual({ usualRunMs: 8 * MINUTE });
  });

  test('the usual duration is the median of at least a hundred runs', async () => {
    await addRuns(runsUpTo(99));
    expect(await usual()).toBeNull();

    await addRuns([1000]);
    expect(await usual()).toBe(51);
  });

  test('the usual duration is measured per app', async () => {
    await addRuns(runsOf(100, 8));
    await addRuns(runsOf(99, 4), { appId: 'companion' });
    expect(await usual('companion')).toBeNull();
    expect(await readUsualRun(db(), 'companion')).toEqual({ usualRunMs: undefined });

    await addRuns([4], { appId: 'companion' });
    expect(await usual('companion')).toBe(4);
    expect(await usual()).toBe(8);
  });

  test.each(['expired', 'cancelled', 'blocked'] as const)(
    'the usual duration ignores a run that is %s',
    async (state) => {
      await addRuns(runsOf(99, 8));
      await addRuns(runsOf(100, 1), { state, completedAt: null });

      expect(await usual()).toBeNull();
    },
  );

  test('the duration of a run lasts from its start to the credit of its last step', async () => {
    await addRuns([...runsOf(50, 1), ...runsOf(49, 9)]);
    const run = await insertRun(db(), { stepsRequired: 1 });
    const attempt = await insertAttempt(db(), run);
    await completeStep(buildCrediting(db()), { attempt, run, providerRef: 'ref', at: T0 + 5 * MINUTE });

    expect(await usual()).toBe(5);
  });

  test('the usual duration covers the newest 500 runs', async () => {
    await addRuns(runsOf(600, 20));
    expect(await usual()).toBe(20);

    await addRuns(runsOf(251, 6));
    expect(await usual()).toBe(6);
  });

  test('the usual duration is unknown again when too few runs remain', async () => {
    await addRuns(runsOf(100, 8));
    expect(await usual()).toBe(8);

    const newest = T0 + inserted * 1000;
    await db().deleteFrom('run').where('completedAt', '=', newest).execute();
    expect(await usual()).toBeNull();
  });

  test('the usual duration counts at most five runs per network, and per device once the network is deleted', async () => {
    const other = await createDevicesRepository(db()).ensure('main', 'other', T0);
    const ofOther = { ipHmac: null, deviceId: other.id };
    await addRuns(runsOf(86, 8));
    await addRuns(runsOf(200, 1), { ipHmac: 'network' });
    await addRuns(runsOf(100, 1), { ipHmac: null });
    await addRuns(runsOf(3, 1), ofOther);
    expect(await usual()).toBeNull();

    await addRuns([1], ofOther);
    expect(await usual()).toBe(8);
  });

  test('the usual duration is rounded to minutes and stored when it changes', async () => {
    await addRuns([...runsOf(99, 7.6), 1, 1, 1]);
    const apps = createAppsRepository(db());

    await apps.noteUsualRun('companion', null);
    await apps.noteUsualRun('main', null);
    expect(await measureRuns({ db: db(), now: () => T0 + HOUR })).toBe(1);
    expect(await apps.get('main')).toMatchObject({ usualRunMs: 8 * MINUTE, stepsPerSeries: 3 });
    await addRuns(runsOf(100, 8.4));
    expect(await measureRuns({ db: db(), now: () => T0 + HOUR })).toBe(0);
  });
});
