import { checkOut, click, makeBuyer, readOrder, redeem, requirePlan } from './buying.ts';
import type { Buyer, Event } from '../fakes/stripe.ts';
import type { Person } from './finish-run.ts';
import { waitForToken } from './operator.ts';
import type { Persona } from './personas.ts';
import type { PlanId } from '../world/product.ts';
import { createPlayer } from './player.ts';
import type { World } from '../world/world.ts';

/** Honest people who have a plan. */
export const BUYERS: Persona[] = [
  {
    name: 'buys a plan',
    play: (person) => buy(person, person.random.pick(['basic', 'plus', 'premium'])),
  },
  {
    name: 'pays, and the bank decides later',
    async play(person) {
      const { player, world, random } = person;
      const session = await checkOut(person, { plan: 'plus' });
      await deliver(world, world.stripe.pay(session, makeBuyer(random), { later: true }));
      await requireNone(person);
      if ((await readOrder(player, session))?.state !== 'redirected') throw new Error('The order does not wait');
      await deliver(world, world.stripe.decide(session, true));
      await requirePlan(person, 'plus');
    },
  },
  {
    name: 'is back before the provider has told',
    async play(person) {
      const { player, world, random } = person;
      const session = await checkOut(person, { plan: 'premium' });
      const event = world.stripe.pay(session, makeBuyer(random));
      await player.send(new URL(session.successUrl).pathname + new URL(session.successUrl).search);
      if ((await readOrder(player, session))?.activeUntil !== null) throw new Error('The order is paid before it is');
      await deliver(world, event);
      if ((await readOrder(player, session))?.state !== 'paid') throw new Error('The order is not paid when it is');
      await requirePlan(person, 'premium');
    },
  },
  {
    name: 'clicks a plan twice and goes back',
    async play(person) {
      const { world, random, player } = person;
      const at = world.now();
      const [session, other] = await Promise.all([
        checkOut(person, { plan: 'plus', at }),
        checkOut(person, { plan: 'plus', at }),
      ]);
      if (session !== other) throw new Error('One click has led to two payments');
      await deliver(world, world.stripe.pay(session, makeBuyer(random)));
      const { answer } = await click(person, { plan: 'plus', at: at + 1 });
      if (!answer.location?.startsWith('/plans?')) throw new Error(`With a plan, the button led to ${answer.location}`);
      const again = await player.send(`/api/create-payment?${player.who()}&mode=2&date=${new Date(at).toISOString()}`);
      if (!again.location?.startsWith('/plans?')) throw new Error(`Once paid, the click led to ${again.location}`);
      await requirePlan(person, 'plus');
    },
  },
  {
    name: 'cancels, and pays another day',
    async play(person) {
      const { player, world, random } = person;
      const at = world.now();
      const { orderId } = await checkOut(person, { plan: 'basic', at });
      const { location } = await player.send(`/api/payment-return?ref=${orderId}&result=cancelled`);
      if (location !== `/payment-failed?${player.who()}`) throw new Error(`A cancelled payment led to ${location}`);
      const session = await checkOut(person, { plan: 'basic', at: at + 1 });
      await deliver(world, world.stripe.pay(session, makeBuyer(random)));
      await requirePlan(person, 'basic');
    },
  },
  {
    name: 'buys a week, and a month at its end',
    async play(person) {
      const buyer = await buy(person, 'basic');
      const session = await checkOut(person, { plan: 'plus' });
      await deliver(person.world, person.world.stripe.pay(session, buyer));
      await requirePlan(person, 'basic', 7 + 30);
    },
  },
  {
    name: 'wants their money back',
    async play(person) {
      const { player, world, random } = person;
      const session = await checkOut(person, { plan: 'plus' });
      await deliver(world, world.stripe.pay(session, makeBuyer(random)));
      await requirePlan(person, 'plus');
      const key = (await player.key())?.key;
      await deliver(world, world.stripe.reverse(session, 'refunded'));
      await requireNone(person);
      const { text } = await player.post('/api/key/verify', { key, hwid: player.hwid, app: player.app });
      if (!text.includes('"REVOKED"')) throw new Error(`The key of a plan that was given back is ${text}`);
    },
  },
  {
    name: 'redeems a code, and sends the form again',
    async play(person) {
      const { world, random } = person;
      const code = world.takeCode();
      const { email } = makeBuyer(random);
      for (const spelling of [code, code, code.toLowerCase().replaceAll('-', ' ')]) {
        const { status, text } = await redeem({ ...person }, spelling, email);
        if (status !== 200) throw new Error(`A right code was answered ${status} ${text}`);
      }
      await requirePlan(person, 'plus');
    },
  },
  {
    name: 'adds a second device',
    async play(person) {
      const { email } = await buy(person, 'premium');
      await addDevice(person, email, 'premium');
    },
  },
  {
    name: 'resets their devices, and takes the plan to a new one',
    async play(person) {
      const { player, world } = person;
      const { email } = await buy(person, 'premium');
      const { text } = await player.post('/api/requestresetdevices', { email });
      if (text !== 'OK') throw new Error(`A buyer who wants a reset is told ${text}`);
      const token = await waitForToken(world, email);
      const { status } = await player.post('/api/confirmresetdevices', { token });
      if (status !== 204) throw new Error(`A reset was answered ${status}`);
      await requireNone(person);
      await addDevice(person, email, 'premium', [token]);
    },
  },
];

/** Buys a plan, from the button to the keys. */
async function buy(person: Person, plan: PlanId): Promise<Buyer> {
  const { player, world, random } = person;
  const buyer = makeBuyer(random);
  const session = await checkOut(person, { plan });
  await deliver(world, world.stripe.pay(session, buyer));
  if ((await readOrder(player, session))?.state !== 'paid') throw new Error('The order is paid, and does not say so');
  await requirePlan(person, plan);
  return buyer;
}

async function addDevice(
  { player, world, random }: Person,
  email: string,
  plan: PlanId,
  known?: string[],
): Promise<void> {
  const added = createPlayer(world, { random, address: player.address });
  const { status } = await added.post('/api/claim-plan', { email, hwid: added.hwid });
  if (status !== 204) throw new Error(`A wish to add a device was answered ${status}`);
  const token = await waitForToken(world, email, known);
  const details = await added.post('/api/claim-details', { token });
  const confirmed = await added.post('/api/confirm-claim', { token });
  if (details.status !== 200 || confirmed.status !== 200)
    throw new Error(`The link that adds a device was answered ${details.text}, ${confirmed.text}`);
  world.claimed.add(added.hwid);
  await requirePlan({ player: added, world }, plan);
}

async function deliver({ stripe }: World, event: Event): Promise<void> {
  const { status, text } = await stripe.deliver(event);
  if (status !== 200) throw new Error(`An event of the provider was answered ${status} ${text}`);
}

async function requireNone({ player }: Pick<Person, 'player'>): Promise<void> {
  const told = await player.key();
  if (told?.status !== 'none') throw new Error(`Without a plan the app is told ${JSON.stringify(told)}`);
}
