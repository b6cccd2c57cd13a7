import { expect, test } from 'vitest';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { DWELL_MS, leaveFor } from '#api/test/product/key-system-fixture.ts';
import { hashTicket } from '#api/product/key-system/ticket.ts';

const NEXT = { page: 'step', step: 2, advertiser: 'linkvertise' } as const;

describeEachDatabase('coming back too early', (db) => {
  const leave = (awayMs: number, advertiser?: string) => leaveFor(db(), awayMs, advertiser);

  test('a token is asked for at once, kept, and not asked for again', async () => {
    const { comeBack, says, seen, attempts } = await leave(1000);
    says.verdict = { verdict: 'confirmed', ref: 'token' };

    expect(await comeBack()).toEqual({ kind: 'wait', waitMs: DWELL_MS - 1000 });
    expect(await attempts()).toMatchObject([{ state: 'issued', proofAt: T0 + 1000, providerRef: 'token' }]);
    says.time = T0 + DWELL_MS - 1;
    expect(await comeBack()).toEqual({ kind: 'wait', waitMs: 1 });
    says.time += 1;
    says.bringsProof = false;
    expect(await comeBack()).toMatchObject({ destination: NEXT });
    expect(seen.asked).toHaveLength(1);
    expect(await attempts()).toMatchObject([{ state: 'verified', providerRef: 'token' }]);
  });

  test('a token that counted before is refused at once', async () => {
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

  test('where the address is the only proof it is a strike', async () => {
    const { comeBack, strikes, seen } = await leave(DWELL_MS - 1, 'rinku');

    expect(await comeBack()).toMatchObject({ destination: { page: 'bypass', reason: 'KS_FAST' } });
    expect(await strikes()).toMatchObject([{ code: 'KS_FAST' }]);
    expect(seen.asked).toEqual([]);
  });

  test('where the advertiser calls by itself nothing is asked, and the ticket stays', async () => {
    const { comeBack, seen, attempts } = await leave(1000, 'lootlabs');

    expect(await comeBack()).toEqual({ kind: 'wait', waitMs: DWELL_MS - 1000 });
    expect(seen.asked).toEqual([]);
    expect(await attempts()).toMatchObject([{ state: 'issued', returnedAt: null }]);
  });
});
