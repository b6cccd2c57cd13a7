import type { Answer } from '../world/client.ts';
import type { Buyer, Session } from '../fakes/stripe.ts';
import { DAY_MS, PLANS, verifyOffline, type PlanId } from '../world/product.ts';
import { answered, createPlayer, keyOf, SCRIPTED, type Player } from './player.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** How far the end of a plan may differ from the expected one, because calls take time. */
const GRACE_MS = 60_000;

interface Customer {
  player: Player;
  world: World;
}

/** A click on a plan. Two clicks with the same time are the same click. */
export interface Click {
  plan: PlanId;
  at?: number;
}

/** The fields of `/api/order-status` that players use. */
interface OrderStatus {
  state: string;
  plan: PlanId;
  activeUntil: number | null;
}

export function makeBuyer(random: Random): Buyer {
  const name = random.hex(12);
  return { email: `${name}@mail.example`, name };
}

/** Follows the button of a plan. `session` is the provider's, unless the server leads elsewhere. */
export async function click(
  { player, world }: Customer,
  { plan, at = world.now() }: Click,
): Promise<{ answer: Answer; session: Session | undefined }> {
  const query = player.who();
  query.set('mode', String(PLANS[plan].mode));
  query.set('date', new Date(at).toISOString());
  const answer = await player.send(`/api/create-payment?${query}`);
  const session = world.stripe.sessionAt(answer.location);
  if (session) world.ordered.set(session.orderId, player.hwid);
  return { answer, session };
}

/**
 * Follows the button of a plan to the provider.
 * @throws Error when the server leads elsewhere, or the provider is to charge another price
 */
export async function checkOut(customer: Customer, wanted: Click): Promise<Session> {
  const { answer, session } = await click(customer, wanted);
  if (!session) throw new Error(`No way to the provider: ${answer.status} ${answer.location ?? answer.text}`);

  const { amountCents, currency } = session;
  if (amountCents !== PLANS[wanted.plan].cents || currency !== 'eur')
    throw new Error(`The plan ${wanted.plan} costs ${amountCents} ${currency}`);
  return session;
}

/** Reads an order, as the page after a payment does. Undefined when the answer is no order. */
export async function readOrder(
  player: Player,
  { orderId }: Pick<Session, 'orderId'>,
): Promise<OrderStatus | undefined> {
  const { status, text } = await player.send(`/api/order-status?ref=${orderId}`, { headers: SCRIPTED });
  return status === 200 ? (JSON.parse(text) as OrderStatus) : undefined;
}

/**
 * Comes back from the provider, and asks for the keys, as the apps do.
 * @param days how long the plan runs from now
 * @throws Error when the device does not have what was paid for
 */
export async function requirePlan(
  { player, world }: Customer,
  plan: PlanId,
  days: number = PLANS[plan].days,
): Promise<void> {
  const { text } = await answered(player.send(`/api/plan-status?hwid=${player.hwid}`, { headers: SCRIPTED }));
  const { plan: active } = JSON.parse(text) as { plan: { id: PlanId; until: number } | null };
  if (active?.id !== plan || Math.abs(active.until - world.now() - days * DAY_MS) > GRACE_MS)
    throw new Error(`${plan} for ${days} days is paid, and at ${world.now()} the page is told ${text}`);

  for (const app of ['main', 'companion'] as const) {
    const { hwid, zone, address } = player;
    const asker = createPlayer(world, { random: world.random, address, app, hwid, zone });
    const told = await keyOf(asker);
    if (told.status !== 'active' || told.key === undefined)
      throw new Error(`${plan} is paid, and the app ${app} is told ${JSON.stringify(told)}`);
    await verifyOffline(world.jwks, asker, told.key, world.now());
  }
}

/** Redeems a code. Notes for which device, when it succeeds. */
export async function redeem({ player, world }: Customer, code: string, email: string): Promise<Answer> {
  const answer = await player.post('/api/redeem', { email, hwid: player.hwid, code });
  if (answer.status === 200) world.redeemed.set(code.toUpperCase().replaceAll(' ', '-'), player.hwid);
  return answer;
}
