import { CHARGED_STATES, type Session } from '../fakes/stripe.ts';
import { DAY_MS, PLAN_IDS, PLANS, subjectOf, verifyOffline, type PlanId } from '../world/product.ts';
import type { World } from '../world/world.ts';
import { untilSealed } from './run-oracle.ts';

interface OrderRow {
  id: string;
  device_id: string;
  mode: number;
  state: string;
  amount_cents: number;
  paid_at: number | null;
}

interface PeriodRow {
  id: string;
  licence_id: string;
  plan_id: PlanId;
  order_id: string | null;
  code_id: string | null;
  starts_at: number;
  ends_at: number;
  revoked_at: number | null;
}

interface CodeRow {
  id: string;
  plan_id: PlanId;
  redeemed_at: number | null;
}

interface PlanKeyRow {
  jti: string;
  app_id: 'main' | 'companion';
  licence_id: string;
  jws: string;
  issued_at: number;
  revoked_at: number | null;
}

/** The provider's books, the codes that were redeemed, access to the server's tables, and where to note what is wrong. */
export type CheckoutEvidence = Pick<World, 'jwks' | 'ordered' | 'redeemed' | 'findings'> & {
  stripe: Pick<World['stripe'], 'sessions' | 'events'>;
  database: Pick<World['database'], 'rows'>;
};

/**
 * Compares the plans that the server gave with what was paid at the provider, whose books are outside of the server,
 * and with the codes that were redeemed. To be asked when all events were delivered.
 * @returns the signed texts of the keys that a plan gave
 */
export async function consultCheckoutOracle(world: CheckoutEvidence): Promise<Set<string>> {
  const { database, findings: found } = world;
  const earned = new Set<string>();
  await untilSealed(database);
  const [orders, periods, codes, bound, told, keys, receipts, records] = await Promise.all([
    database.rows<OrderRow>('select * from purchase_order'),
    database.rows<PeriodRow>('select * from licence_period'),
    database.rows<CodeRow>('select * from licence_code'),
    database.rows<{ licence_id: string; device_id: string }>('select * from licence_device'),
    database.rows<{ event_id: string; error: string | null }>('select * from webhook_event'),
    database.rows<PlanKeyRow>('select * from access_key where licence_id is not null'),
    database.rows<object>("select id from mail where kind = 'receipt'"),
    database.rows<{ kind: string; code: string }>("select * from audit_event where kind in ('order', 'licence')"),
  ]);
  const charged = listCharged(world.stripe);
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const codeOf = new Map(codes.map((code) => [code.id, code]));
  const bindings = new Set(bound.map(({ licence_id, device_id }) => `${licence_id} ${device_id}`));

  for (const period of periods) {
    const session = charged.find(({ orderId }) => orderId === period.order_id);
    const order = orderOf.get(period.order_id ?? '');
    const wrongs =
      period.order_id === null
        ? checkCode(period, codeOf.get(period.code_id ?? ''))
        : checkPayment(period, order, session);
    if (period.ends_at - period.starts_at !== PLANS[period.plan_id].days * DAY_MS)
      wrongs.push(`it lasts for ${period.ends_at - period.starts_at} ms`);
    found.unpaid.push(...wrongs.map((wrong) => `period ${period.id} of ${period.plan_id}: ${wrong}`));
    if (order && !bindings.has(`${period.licence_id} ${order.device_id}`))
      found.unserved.push(`period ${period.id} is not for the device of its order`);
  }
  found.doubled.push(
    ...findDuplicates(periods.flatMap(({ order_id: id }) => id ?? [])).map((id) => `order ${id} has two periods`),
    ...findDuplicates(periods.flatMap(({ code_id: id }) => id ?? [])).map((id) => `code ${id} has two periods`),
    ...findDuplicates(charged.map(({ orderId }) => orderId)).map((id) => `order ${id} was charged twice`),
  );

  for (const session of charged) {
    const wrong = whyUnserved(session, orderOf.get(session.orderId), periods);
    if (wrong !== undefined) found.unserved.push(`order ${session.orderId}: ${wrong}`);
  }
  const redeemed = codes.filter(({ redeemed_at: at }) => at !== null);
  if (redeemed.length > world.redeemed.size)
    found.unpaid.push(`${redeemed.length} codes are redeemed, and ${world.redeemed.size} were told so`);
  for (const { id } of redeemed)
    if (!periods.some(({ code_id }) => code_id === id)) found.unserved.push(`code ${id} is redeemed, and gave nothing`);

  const sent = new Map(world.stripe.events().map((event) => [event.id, event]));
  const handled = new Set(told.map(({ event_id: id }) => id));
  for (const id of handled) if (!sent.has(id)) found.unpaid.push(`event ${id} was handled, and Stripe never made it`);
  for (const { id, isTaken } of sent.values())
    if (isTaken && !handled.has(id)) found.unserved.push(`event ${id} was acknowledged, and is not in the table`);

  const count = (kind: string, ...these: string[]) =>
    records.filter((record) => record.kind === kind && these.includes(record.code)).length;
  const ofOrders = periods.filter(({ order_id: id }) => id !== null).length;
  const pairs: [what: string, told: number, inTables: number][] = [
    ['plans on record', count('licence', 'granted', 'extended'), periods.length],
    ['payments on record', count('order', 'paid'), orders.filter(({ paid_at: at }) => at !== null).length],
    ['unfit messages on record', count('order', 'unfit'), told.filter(({ error }) => error !== null).length],
    ['receipts', receipts.length, ofOrders],
  ];
  for (const [what, some, all] of pairs) if (some !== all) found.rules.push(`there are ${some} ${what} for ${all}`);

  const buyers = charged.flatMap(({ orderId }) => world.ordered.get(orderId) ?? []);
  const holderOf = new Map([...buyers, ...world.redeemed.values()].map((hwid) => [subjectOf(hwid), hwid]));
  for (const key of keys) {
    const wrongs = await checkPlanKey(world, key, periods, holderOf);
    for (const wrong of wrongs) found.keys.push(`key ${key.jti} of a plan: ${wrong}`);
    if (wrongs.length === 0) earned.add(key.jws);
  }
  return earned;
}

/** Compares what each plan has brought on each day, in the provider's books and in ours. */
export async function compareSums({ stripe, database, findings }: CheckoutEvidence): Promise<void> {
  const orders = await database.rows<OrderRow>('select * from purchase_order');
  const ours = sumByPlan(
    orders.map(({ mode, amount_cents: cents, paid_at: at }) => ({ plan: planOf('mode', mode), cents, at })),
  );
  const theirs = sumByPlan(
    listCharged(stripe).map(({ amountCents: cents, payment }) => ({
      plan: planOf('cents', cents),
      cents,
      at: payment?.paidAt ?? null,
    })),
  );
  const differing = [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (name) => ours.get(name) !== theirs.get(name),
  );
  for (const name of differing)
    findings.sums.push(`${name}: the provider has ${theirs.get(name) ?? 0} cents, and we have ${ours.get(name) ?? 0}`);
}

function listCharged(stripe: CheckoutEvidence['stripe']): Session[] {
  return stripe.sessions().filter(({ payment }) => payment && CHARGED_STATES.includes(payment.state));
}

function sumByPlan(payments: readonly { plan: string; cents: number; at: number | null }[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { plan, cents, at } of payments) {
    if (at === null) continue;
    const name = `${plan} on ${new Date(at).toISOString().slice(0, 10)}`;
    sums.set(name, (sums.get(name) ?? 0) + cents);
  }
  return sums;
}

function planOf(member: 'mode' | 'cents', value: number): string {
  return PLAN_IDS.find((id) => PLANS[id][member] === value) ?? `unknown (${value})`;
}

/** Compares a period that an order gave with the provider's books. Returns what is wrong with it. */
function checkPayment(period: PeriodRow, order: OrderRow | undefined, session: Session | undefined): string[] {
  const { mode, cents } = PLANS[period.plan_id];
  if (!session) return [`its order ${period.order_id} was not paid`];

  const wrongs: string[] = [];
  if (session.amountCents !== cents || session.currency !== 'eur')
    wrongs.push(`${session.amountCents} ${session.currency} were paid for it`);
  if (order?.mode !== mode) wrongs.push('its order is for another plan');
  if (order && !['paid', 'refunded'].includes(order.state)) wrongs.push(`its order is ${order.state}`);
  if (session.payment?.state !== 'succeeded' && period.revoked_at === null) wrongs.push('its money went back');
  return wrongs;
}

function checkCode(period: PeriodRow, code: CodeRow | undefined): string[] {
  if (code?.redeemed_at === null || code?.plan_id !== period.plan_id)
    return [`its code is ${JSON.stringify(code ?? null)}`];
  return [];
}

/** Why a buyer has not what they paid for. Undefined when they have it, or have their money back. */
function whyUnserved(session: Session, order: OrderRow | undefined, periods: readonly PeriodRow[]): string | undefined {
  const isKept = session.payment?.state === 'succeeded';
  if (order?.state !== (isKept ? 'paid' : 'refunded'))
    return `it is ${session.payment?.state}, and we say ${order?.state}`;
  if (!isKept) return undefined;

  const period = periods.find(({ order_id: id }) => id === session.orderId);
  if (!period) return 'it is paid, and has no period';
  return period.revoked_at === null ? undefined : 'it is paid, and its period is revoked';
}

async function checkPlanKey(
  world: CheckoutEvidence,
  key: PlanKeyRow,
  periods: readonly PeriodRow[],
  /** The devices by the subject of their keys. */
  holderOf: ReadonlyMap<string, string>,
): Promise<string[]> {
  const claims = JSON.parse(Buffer.from(key.jws.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
  const hwid = holderOf.get(claims.sub);
  if (hwid === undefined) return ['it is for a device without a payment'];

  const wrongs: string[] = [];
  const own = periods.filter(
    ({ licence_id: id, starts_at: from, ends_at: until, revoked_at: end }) =>
      id === key.licence_id && from < key.issued_at + 1000 && Math.min(until, end ?? until) >= key.issued_at,
  );
  if (own.length === 0) wrongs.push('no period covers its begin');
  if (own.every(({ revoked_at: at }) => at !== null) && key.revoked_at === null)
    wrongs.push('its plan was taken back, and it was not');
  try {
    await verifyOffline(world.jwks, { app: key.app_id, hwid }, key.jws, key.issued_at);
  } catch (error) {
    wrongs.push(`it does not verify: ${error instanceof Error ? error.message : String(error)}`);
  }
  return wrongs;
}

function findDuplicates(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}
