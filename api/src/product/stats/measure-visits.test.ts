import type { AdvertiserId } from '@app/contracts/advertisers';
import { expect, test } from 'vitest';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import { createSnapshotsRepository } from '#api/product/key-system/state/snapshots.repository.ts';
import { insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createCountsRepository } from './counts.repository.ts';
import { measureVisits } from './measure-visits.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** T0 is at 8:00 UTC. */
const TODAY = '2027-01-15';

describeEachDatabase('what visits to an advertiser usually are', (db) => {
  let nth = 0;

  /** Credited visits of as many minutes, each of a network of its own. */
  async function visit(took: readonly number[], { at = T0, network }: { at?: number; network?: string } = {}) {
    for (const minutes of took) {
      const run = await insertRun(db(), { hwidHmac: `device ${String(nth++)}`, at });
      const { id } = await insertAttempt(db(), run, { advertiserId: 'rinku', issuedAt: at });
      const ipHmac = network ?? `network ${String(nth)}`;
      const returned = { state: 'verified', returnedAt: at + minutes * MINUTE, ipHmac } as const;
      await db().updateTable('stepAttempt').set(returned).where('id', '=', id).execute();
    }
  }

  const count = (day: string, sent: number, credited: number, appId = 'main') =>
    createCountsRepository(db()).addAttempts(day, [
      { appId, step: 1, advertiserId: 'rinku', sent, credited, returned: credited, refused: 0, lost: sent - credited },
    ]);

  /** What pages are told of an advertiser. */
  async function measured(id: AdvertiserId = 'rinku') {
    await measureVisits({ db: db(), now: () => T0 + 60 * MINUTE });
    const { advertisers } = await createSnapshotsRepository(db()).read('main', 'hwid', T0, { windowMs: 0 });
    const { usualMs, finishedPercent } = advertisers.find((known) => known.id === id) ?? {};
    return [usualMs && usualMs / MINUTE, finishedPercent];
  }

  test('the usual time of a visit is the median of at least twenty, in whole minutes', async () => {
    await visit([...Array.from({ length: 10 }, () => 1.2), ...Array.from({ length: 9 }, () => 2.6)]);
    expect(await measured()).toEqual([null, null]);

    await visit([2.6, 2.6]);
    expect(await measured()).toEqual([3, null]);
    expect(await measured('linkvertise')).toEqual([null, null]);
  });

  test('the usual time of a visit is a minute at least, and leaves out older days and more than five of one network', async () => {
    await visit(Array.from({ length: 20 }, () => 0.2));
    await visit(
      Array.from({ length: 30 }, () => 9),
      { network: 'one' },
    );
    await visit(
      Array.from({ length: 30 }, () => 9),
      { at: T0 - DAY },
    );
    expect(await measured()).toEqual([1, null]);
  });

  test('the share that finished is that of today in all apps, once twenty have left', async () => {
    await count('2027-01-14', 100, 100);
    await count(TODAY, 10, 9);
    expect(await measured()).toEqual([null, null]);

    await count(TODAY, 20, 18, 'companion');
    expect(await measured()).toEqual([null, 90]);
  });

  test('what is noted is written when it changes', async () => {
    const advertisers = createAdvertisersRepository(db());
    expect(await advertisers.noteUsual('rinku', { usualMs: 60_000, finishedPercent: 90 })).toBe(true);
    expect(await advertisers.noteUsual('rinku', { usualMs: 60_000, finishedPercent: 90 })).toBe(false);
    expect(await advertisers.noteUsual('rinku', { usualMs: 60_000, finishedPercent: null })).toBe(true);
  });
});
