import type { Answer } from '../world/client.ts';
import type { Buyer, Session } from '../fakes/stripe.ts';
import { DAY_MS, PLANS, verifyOffline, type PlanId } from '../world/product.ts';
import { createPlayer, keyOf, requireAnswer, FETCH_HEADERS, type Player } from './player.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** How far the end of a plan may differ from the expected one, because calls take time. */
const GRACE_MS = 60_000;

interface Customer {
  player: Player;
  world: World;
}

export function makeBuyer(random: Random): Buyer {
  const name = random.hex(12);
  return { email: `${name}@mail.example`, name };
}

/**
 * Follows the button of a plan to the provider.
 * @param at when it was clicked: two clicks with the same time are the same click
 * @throws Error when the server leads elsewhere, or the provider is to charge another price
 */
export async function checkOut({ player, world }: Customer, plan: PlanId, at = world.now()): Promise<Session> {
  const query = player.who();
  query.set('mode', String(PLANS[plan].mode));
  query.set('date', new Date(at).toISOString());
  const { status, location, text } = requireAnswer(await player.send(`/api/create-payment?${query}`));
  const session = world.stripe.sessionAt(location);
  if (!session) throw new Error(`No way to the provider: ${status} ${location ?? text}`);

  world.ordered.set(session.orderId, player.hwid);
  if (session.amountCents !== PLANS[plan].cents || session.currency !== 'eur')
    throw new Error(`The plan ${plan} costs ${session.amountCents} ${session.currency}`);
  return session;
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
  const { text } = requireAnswer(await player.send(`/api/plan-status?hwid=${player.hwid}`, { headers: FETCH_HEADERS }));
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
