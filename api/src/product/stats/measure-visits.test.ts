import type { AdvertiserId } from '@app/contracts/advertisers';
import { expect, test } from 'vitest';
import type { AttemptRow } from '#api/foundation/db/schema.ts';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import { createSnapshotsRepository } from '#api/product/key-system/state/snapshots.repository.ts';
import { insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { measureVisits } from './measure-visits.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describeEachDatabase('what visits to an advertiser usually are', (db) => {
  let nth = 0;

  interface Circumstances {
    at?: number;
    network?: string;
    ends?: Partial<AttemptRow>;
  }

  /** A visit by a device, from a network of its own; nothing more is heard of it. */
  async function leave({ at = T0, network, ends = {} }: Circumstances = {}) {
    const run = await insertRun(db(), { hwidHmac: `device ${String(nth++)}`, at });
    const { id } = await insertAttempt(db(), run, { advertiserId: 'rinku', issuedAt: at });
    const row = { ipHmac: network ?? `network ${String(nth)}`, ...ends };
    await db().updateTable('stepAttempt').set(row).where('id', '=', id).execute();
    return run;
  }

  async function leaveTimes(times: number, circumstances?: Circumstances) {
    for (let time = 0; time < times; time++) await leave(circumstances);
  }

  /** Credited visits of as many minutes. */
  async function visit(took: readonly number[], { at = T0, network }: { at?: number; network?: string } = {}) {
    for (const minutes of took)
      await leave({ at, ...(network && { network }), ends: { state: 'verified', returnedAt: at + minutes * MINUTE } });
  }

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

    await visit([2.6]);
    expect(await measured()).toEqual([3, 100]);
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
    expect(await measured()).toEqual([1, 100]);
  });

  test('the share that finished is of those who left within a day, and is told from twenty on', async () => {
    await leaveTimes(20, { at: T0 - DAY });
    await visit(Array.from({ length: 15 }, () => 1));
    await leaveTimes(4);
    expect(await measured()).toEqual([null, null]);

    await leave({ ends: { state: 'rejected', returnedAt: T0 + MINUTE } });
    expect(await measured()).toEqual([null, 75]);
  });

  test('of one network at most five count for the share, however many devices it names', async () => {
    await visit(Array.from({ length: 20 }, () => 1));
    await leaveTimes(30, { network: 'one' });

    expect(await measured()).toEqual([1, 80]);
  });

  test('a device at a step counts once for the share, as finished when one of its tries was', async () => {
    await visit(Array.from({ length: 18 }, () => 1));
    const run = await leave({ ends: { state: 'verified', returnedAt: T0 + MINUTE } });
    const other = await leave();
    for (const again of [run, run, other, other])
      await insertAttempt(db(), again, { advertiserId: 'rinku', issuedAt: T0 + MINUTE });

    expect(await measured()).toEqual([null, 95]);
  });

  test.each([
    { what: 'that another one replaced', ends: { state: 'superseded' } },
    { what: 'without a link of the advertiser', ends: { state: 'expired', reason: 'KS_PROVIDER_DOWN' } },
    { what: 'that goes on', ends: { expiresAt: T0 + DAY } },
  ] as const)('an attempt $what does not count for the share', async ({ ends }) => {
    await visit(Array.from({ length: 20 }, () => 1));
    await leaveTimes(10, { ends });

    expect(await measured()).toEqual([1, 100]);
  });

  test('what is noted is written when it changes', async () => {
    const advertisers = createAdvertisersRepository(db());
    expect(await advertisers.noteUsual('rinku', { usualMs: 60_000, finishedPercent: 90 })).toBe(true);
    expect(await advertisers.noteUsual('rinku', { usualMs: 60_000, finishedPercent: 90 })).toBe(false);
    expect(await advertisers.noteUsual('rinku', { usualMs: 60_000, finishedPercent: null })).toBe(true);
  });
});
