import { CHARGED } from '../fakes/stripe.ts';
import { DAY_MS, PLAN_IDS, PLANS } from '../world/product.ts';
import type { CheckoutEvidence } from './checkout-oracle.ts';

interface PaidRow {
  mode: number;
  amount_cents: number;
  paid_at: number;
}

/** Compares what each plan has brought on each day, in the provider's books and in ours. Returns the differences. */
export async function compareSums({
  stripe,
  database,
}: Pick<CheckoutEvidence, 'stripe' | 'database'>): Promise<string[]> {
  const paid = await database.rows<PaidRow>(
    'select mode, amount_cents, paid_at from purchase_order where paid_at is not null',
  );
  const ours = addUp(
    paid.map(({ mode, amount_cents: cents, paid_at: at }) => ({ plan: planOf('mode', mode), cents, at })),
  );
  const theirs = addUp(
    stripe
      .sessions()
      .flatMap(({ amountCents: cents, payment }) =>
        payment && CHARGED.includes(payment.state) ? [{ plan: planOf('cents', cents), cents, at: payment.paidAt }] : [],
      ),
  );
  return [...new Set([...ours.keys(), ...theirs.keys()])]
    .filter((name) => ours.get(name) !== theirs.get(name))
    .map((name) => `${name}: the provider has ${theirs.get(name) ?? 0} cents, and we have ${ours.get(name) ?? 0}`);
}

function addUp(payments: readonly { plan: string; cents: number; at: number }[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { plan, cents, at } of payments) {
    const name = `${plan} on ${new Date(Math.floor(at / DAY_MS) * DAY_MS).toISOString().slice(0, 10)}`;
    sums.set(name, (sums.get(name) ?? 0) + cents);
  }
  return sums;
}

function planOf(member: 'mode' | 'cents', value: number): string {
  return PLAN_IDS.find((id) => PLANS[id][member] === value) ?? `unknown (${value})`;
}
