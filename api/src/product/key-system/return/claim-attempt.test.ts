import { expect, test } from 'vitest';
import { DatabaseQueueFull, DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { DWELL_MS, navigateTo } from '#api/test/product/key-system-fixture.ts';
import { hashTicket } from '#api/product/key-system/ticket.ts';

const NEXT_STEP = { page: 'step', step: 2, advertiser: 'linkvertise' } as const;

describeEachDatabase('early returns', (db) => {
  const leave = (awayMs: number, advertiser?: string) => navigateTo(db(), awayMs, advertiser);

  test('threat 9: an early return with a token checks it at once, keeps the proof, and does not check it again', async () => {
    const { comeBack, says, seen, attempts } = await leave(1000);
    says.verdict = { verdict: 'confirmed', ref: 'token' };

    expect(await comeBack()).toEqual({ kind: 'wait', waitMs: DWELL_MS - 1000 });
    expect(await attempts()).toMatchObject([{ state: 'issued', proofAt: T0 + 1000, providerRef: 'token' }]);
    says.time = T0 + DWELL_MS - 1;
    expect(await comeBack()).toEqual({ kind: 'wait', waitMs: 1 });
    says.time += 1;
    says.bringsProof = false;
    expect(await comeBack()).toMatchObject({ destination: NEXT_STEP });
    expect(seen.asked).toHaveLength(1);
    expect(await attempts()).toMatchObject([{ state: 'verified', providerRef: 'token' }]);
  });

  test('threat 6: an early return with a used token is rejected at once', async () => {
    const { comeBack, startStep, ticket, says } = await leave(1000);
    await startStep();
    await db()
      .updateTable('stepAttempt')
      .set({ providerRef: 'used' })
      .where('tokenHash', '<>', hashTicket(ticket))
      .execute();
    says.verdict = { verdict: 'confirmed', ref: 'used' };

    expect(await comeBack()).toMatchObject({ destination: { page: 'bypass', reason: 'KS_REUSE' } });
  });

  test('threat 9: an early return without a token adds a strike where the return address is the only proof', async () => {
    const { comeBack, strikes, seen } = await leave(DWELL_MS - 1, 'rinku');

    expect(await comeBack()).toMatchObject({ destination: { page: 'bypass', reason: 'KS_FAST' } });
    expect(await strikes()).toMatchObject([{ code: 'KS_FAST' }]);
    expect(seen.asked).toEqual([]);
  });

  test('an early return to a step with a postback checks nothing and keeps the ticket claimable', async () => {
    const { comeBack, seen, attempts } = await leave(1000, 'lootlabs');

    expect(await comeBack()).toEqual({ kind: 'wait', waitMs: DWELL_MS - 1000 });
    expect(seen.asked).toEqual([]);
    expect(await attempts()).toMatchObject([{ state: 'issued', returnedAt: null }]);
  });
});

describeEachDatabase('claims with an unknown outcome', (db) => {
  /** The statement that claims a ticket. */
  const CLAIM = /"claimed_by" = .* where "state" in/;
  const BUSY = new DatabaseUnavailable('the answer is lost');

  test.each([
    { awayMs: DWELL_MS, claim: /"not_before" <= / },
    { awayMs: 1000, claim: /"not_before" > / },
  ])(
    'a claim with an unknown outcome $awayMs ms after the start is rolled back, and the ticket can be credited',
    async ({ awayMs, claim }) => {
      const { afterNext, comeBack, says, seen, attempts } = await navigateTo(db(), awayMs);
      afterNext(claim, () => Promise.reject(BUSY));

      await expect(comeBack()).rejects.toBe(BUSY);
      expect(await attempts()).toMatchObject([{ state: 'checking' }]);
      expect(seen.later).toMatchObject([{ until: says.time + 60_000, reason: BUSY }]);
      await seen.later[0]?.write();
      expect(await attempts()).toMatchObject([{ state: 'issued' }]);

      await comeBack();
      says.time = T0 + DWELL_MS;
      expect(await comeBack()).toMatchObject({ destination: NEXT_STEP });
    },
  );

  test('a claim with an unknown outcome is rolled back independently of an earlier claim', async () => {
    const { failNext, comeBack, says, seen } = await navigateTo(db());
    for (let claims = 0; claims < 2; claims++) {
      failNext(CLAIM, BUSY);
      await expect(comeBack()).rejects.toBe(BUSY);
      says.time += 1;
    }

    expect(new Set(seen.later.map(({ key }) => key)).size).toBe(2);
  });

  test('a claim is not rolled back when the full database queue rejected it', async () => {
    const { failNext, comeBack, seen } = await navigateTo(db());
    failNext(CLAIM, new DatabaseQueueFull('full'));

    await expect(comeBack()).rejects.toThrow('full');
    expect(seen.later).toEqual([]);
  });
});
