import { formatPrice, PLANS } from '@app/contracts/plans';
import { Option } from '@commander-js/extra-typings';
import { DAY_MS, utcDay } from '#api/foundation/audit/anchor.ts';
import { createSalesRepository } from '#api/product/purchases/sales.repository.ts';
import { UsageError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { fromOption, toOption } from '#api/ops/options.ts';
import { formatTable } from '#api/ops/format.ts';

const GROUPINGS = ['plan', 'reseller', 'day'] as const;

interface SalesOptions {
  /** The first day, and the last one: when each begins. */
  from?: number;
  to?: number;
  by: (typeof GROUPINGS)[number];
}

/** Sums of what was sold. Money is in cents. */
const EMPTY_SUMS = { orders: 0, cents: 0, refunds: 0, refundedCents: 0, codes: 0 };
type Sums = typeof EMPTY_SUMS;

/** What was sold of one plan on one day, by our own shop or by a reseller. */
type Sale = { day: string; plan: string; reseller: string | null } & Partial<Sums>;

export const addSalesCommands: AddCommands = (program, { onSite }) => {
  program
    .command('sales')
    .description('sum paid orders, refunds and redeemed codes; days are UTC')
    .addOption(fromOption())
    .addOption(toOption())
    .addOption(new Option('--by <what>', 'a row for each').choices(GROUPINGS).default('plan' as const))
    .action((options) => onSite((context) => showSales(context, options)));
};

async function showSales({ db, now }: OpsContext, { from, to = now(), by }: SalesOptions): Promise<Answer> {
  if (from !== undefined && to < from) throw new UsageError('--from lies after --to, or after today.');

  const sales = await listSales(db, { from: from ?? 0, before: to + DAY_MS });
  const rows = group(sales, by);
  const total = rows.reduce<Sums>(add, EMPTY_SUMS);
  return {
    data: {
      from: from === undefined ? null : utcDay(from),
      to: utcDay(to),
      currency: 'eur',
      rows: rows.map((row) => ({ ...row, netCents: netOf(row) })),
      total: { ...total, netCents: netOf(total) },
    },
    text: formatTable(
      [by, ...(by === 'reseller' ? ['plan'] : []), 'orders', 'paid', 'refunds', 'given back', 'net', 'codes'],
      [
        ...rows.map((row) => [...nameRow(row, by), ...describeSums(row)]),
        ['all', ...(by === 'reseller' ? [null] : []), ...describeSums(total)],
      ],
    ),
  };
}

async function listSales(db: OpsContext['db'], range: { from: number; before: number }): Promise<Sale[]> {
  const sales = createSalesRepository(db);
  const orders = (await sales.countOrders(range)).map(({ day, mode, ...sums }) => ({
    day: utcDay(day * DAY_MS),
    plan: PLANS.find((plan) => plan.mode === mode)?.id ?? String(mode),
    reseller: null,
    ...sums,
  }));
  const codes = (await sales.countCodes(range)).map(({ day, planId, resellerId, codes: count }) => ({
    day: utcDay(day * DAY_MS),
    plan: planId,
    reseller: resellerId,
    codes: count,
  }));
  return [...orders, ...codes];
}

type Row = Sums & Partial<Pick<Sale, 'day' | 'plan' | 'reseller'>>;

/** Adds the sales up, in rows that are named by what is asked for. Of a reseller each plan has a row. */
function group(sales: readonly Sale[], by: SalesOptions['by']): Row[] {
  const rows = new Map<string, Row>();
  for (const { day, plan, reseller, ...sums } of sales) {
    const name = { plan: { plan }, day: { day }, reseller: { reseller, plan } }[by];
    const key = JSON.stringify(name);
    rows.set(key, { ...name, ...add(rows.get(key) ?? EMPTY_SUMS, sums) });
  }
  return [...rows.values()].sort((one, other) => sortKey(one).localeCompare(sortKey(other), 'en'));
}

function add(one: Sums, other: Partial<Sums>): Sums {
  const names = Object.keys(EMPTY_SUMS) as (keyof Sums)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + (other[name] ?? 0)])) as Sums;
}

/** Days in their order, our own shop before the resellers, plans from the cheapest. */
function sortKey({ day = '', reseller, plan }: Row): string {
  return `${day} ${reseller ?? ''} ${String(PLANS.findIndex(({ id }) => id === plan))}`;
}

function nameRow({ day, plan, reseller }: Row, by: SalesOptions['by']): (string | null)[] {
  if (by === 'reseller') return [reseller ?? '(our own shop)', plan ?? null];
  return [(by === 'day' ? day : plan) ?? null];
}

function describeSums(sums: Sums): (string | number)[] {
  const { orders, cents, refunds, refundedCents, codes } = sums;
  return [orders, formatPrice(cents), refunds, formatPrice(refundedCents), formatPrice(netOf(sums)), codes];
}

function netOf({ cents, refundedCents }: Sums): number {
  return cents - refundedCents;
}
