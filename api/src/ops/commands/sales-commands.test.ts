import { expect, test } from 'vitest';
import { buildReseller } from '#api/test/build-rows.ts';
import { insertOrder } from '#api/test/product/insert-order.ts';
import { openTerminal } from '#api/test/programs/open-terminal.ts';

const MONDAY = Date.UTC(2026, 1, 2);
const TUESDAY = Date.UTC(2026, 1, 3);

/** A terminal of a site that sold three orders, of which one was given back, and two codes. */
async function open() {
  const terminal = await openTerminal();
  const { db } = terminal.api;
  await insertOrder(db, { mode: 1, amountCents: 99, paidAt: MONDAY });
  await insertOrder(db, { mode: 3, amountCents: 1499, paidAt: TUESDAY - 1 });
  await insertOrder(db, { mode: 1, amountCents: 99, paidAt: TUESDAY, state: 'refunded', refundedAt: TUESDAY + 1 });
  await db
    .insertInto('reseller')
    .values(buildReseller({ id: 'store' }))
    .execute();
  const code = { resellerId: 'store', batchId: null, issuedAt: MONDAY };
  await db
    .insertInto('licenceCode')
    .values([
      { id: 'one', codeHash: 'one', planId: 'premium', redeemedAt: TUESDAY, ...code },
      { id: 'two', codeHash: 'two', planId: 'basic', redeemedAt: TUESDAY, ...code },
    ])
    .execute();
  const split = async (...argv: string[]) =>
    (await terminal.type('sales', ...argv)).out.split('\n').map((line) => line.trim().split(/ {2,}/));
  return { ...terminal, split };
}

test('sales are summed by plan, as formatted euros in tables and as cents in JSON', async () => {
  const { ask, split } = await open();

  expect(await split()).toEqual([
    ['plan', 'orders', 'paid', 'refunds', 'given back', 'net', 'codes'],
    ['basic', '2', '1,98\u00a0€', '1', '0,99\u00a0€', '0,99\u00a0€', '1'],
    ['premium', '1', '14,99\u00a0€', '0', '0,00\u00a0€', '14,99\u00a0€', '1'],
    ['all', '3', '16,97\u00a0€', '1', '0,99\u00a0€', '15,98\u00a0€', '2'],
  ]);
  expect(await ask('sales')).toMatchObject({
    from: null,
    currency: 'eur',
    rows: [{ plan: 'basic', orders: 2, cents: 198, refunds: 1, refundedCents: 99, netCents: 99, codes: 1 }, {}],
    total: { cents: 1697, netCents: 1598 },
  });
});

test('sales are summed by UTC day', async () => {
  const { split } = await open();

  expect((await split('--by', 'day')).slice(1, -1)).toEqual([
    ['2026-02-02', '2', '15,98\u00a0€', '0', '0,00\u00a0€', '15,98\u00a0€', '0'],
    ['2026-02-03', '1', '0,99\u00a0€', '1', '0,99\u00a0€', '0,00\u00a0€', '2'],
  ]);
});

test('sales are summed by reseller and plan, direct sales first', async () => {
  const { split } = await open();

  expect((await split('--by', 'reseller')).slice(1).map(([who, plan, , , , , , codes]) => [who, plan, codes])).toEqual([
    ['(our own shop)', 'basic', '0'],
    ['(our own shop)', 'premium', '0'],
    ['store', 'basic', '1'],
    ['store', 'premium', '1'],
    ['all', '3', undefined],
  ]);
});

test('a range of days includes its first and last day', async () => {
  const { ask } = await open();

  expect(await ask('sales', '--to', '2026-02-02')).toMatchObject({ to: '2026-02-02', total: { orders: 2, codes: 0 } });
  expect(await ask('sales', '--from', '2026-02-03', '--to', '2026-02-03')).toMatchObject({
    from: '2026-02-03',
    total: { orders: 1, codes: 2 },
  });
  expect(await ask('sales', '--from', '2026-02-04')).toMatchObject({ rows: [], total: { orders: 0, netCents: 0 } });
});

test.each([
  { argv: ['--from', '2026-02-30'], said: 'It is no day such as 2026-12-31.' },
  { argv: ['--to', '2026-02-02T12:00Z'], said: 'It is no day such as 2026-12-31.' },
  { argv: ['--from', '2026-02-03', '--to', '2026-02-02'], said: '--from lies after --to, or after today.' },
  { argv: ['--by', 'country'], said: 'Allowed choices are plan, reseller, day.' },
])('$argv is rejected: $said', async ({ argv, said }) => {
  const { type } = await open();

  const { code, err } = await type('sales', ...argv);

  expect(code).toBe(2);
  expect(err).toContain(said);
});
