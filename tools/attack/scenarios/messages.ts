import { checkOut, makeBuyer, requirePlan } from '../players/buying.ts';
import type { Session } from '../fakes/stripe.ts';
import { expectUnpaid } from './paying.ts';
import type { Scenario } from './scenario.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Attempts to get plans with messages of the payment provider: forged, changed, repeated, out of order. */
export const MESSAGES: Scenario[] = [
  {
    name: 'forges messages of the payment provider',
    async play(attack) {
      const { world, player, tries, expect } = attack;
      const { stripe } = world;
      const cheat = player();
      const session = await checkOut({ player: cheat, world }, { plan: 'premium' });
      const body = tellOf(session, `evt_${session.id}`);
      const right = stripe.sign(body);
      const t = /t=\d+/.exec(right)?.[0] ?? '';
      const signatures = [
        undefined,
        '',
        t,
        right.slice(t.length + 1),
        `${t},v1=`,
        `${t},v1=${'0'.repeat(64)}`,
        `${t},v0=${right.slice(-64)}`,
        right.slice(0, -1),
        `t=${Number(t.slice(2)) + 1},v1=${right.slice(-64)}`,
        `t=NaN,v1=${right.slice(-64)}`,
        stripe.sign(body, { secret: '' }),
        stripe.sign(body, { secret: `${stripe.settings.STRIPE_WEBHOOK_SECRET}x` }),
        stripe.sign(body, { secret: 'whsec_test' }),
        stripe.sign(body, { at: world.now() - HOUR_MS }),
        stripe.sign(`${body}\n`),
        stripe.sign('{}'),
      ];
      for (const signature of signatures) {
        const { status } = await tries(() => stripe.forge(body, signature));
        expect(status === 400, `a message with the signature ${signature} was answered ${status}`, 'unpaid');
      }
      await expectUnpaid(attack, cheat, session);
    },
  },
  {
    name: 'changes a message after it was signed',
    async play(attack) {
      const { world, player, tries, expect } = attack;
      const { stripe } = world;
      const cheat = player();
      const wanted = await checkOut({ player: cheat, world }, { plan: 'premium' });
      const other = player();
      const session = await checkOut({ player: other, world }, { plan: 'basic' });
      const event = stripe.pay(session, makeBuyer(attack.random));
      const signature = stripe.sign(event.body);
      const changes: [from: string, to: string][] = [
        [session.orderId, wanted.orderId],
        ['"amount_total":99', '"amount_total":1499'],
        [event.id, `${event.id}x`],
        ['"livemode":false', '"livemode":true'],
      ];
      for (const [from, to] of changes) {
        const { status } = await tries(() => stripe.forge(event.body.replaceAll(from, to), signature));
        expect(status === 400, `a message in which ${from} became ${to} was answered ${status}`, 'unpaid');
      }
      await expectUnpaid(attack, cheat, wanted);
      await stripe.deliver(event);
      await requirePlan({ player: other, world }, 'basic');
    },
  },
  {
    name: 'pays another amount, in another money, or for nothing',
    async play(attack) {
      const { world, player, random, tries, expect } = attack;
      const { stripe } = world;
      const cheat = player();
      const session = await checkOut({ player: cheat, world }, { plan: 'premium' });
      const right = { ...stripe.describe(session), payment_status: 'paid' };
      const payments = [
        { amount_total: 0 },
        { amount_total: 1 },
        { amount_total: 99 },
        { amount_total: -1499 },
        { amount_total: 1500 },
        { amount_total: null },
        { amount_total: '1499' },
        { currency: 'usd' },
        { currency: 'huf' },
        { currency: null },
        { payment_status: 'unpaid' },
        { client_reference_id: random.base64url(22) },
        { client_reference_id: null },
        { client_reference_id: `${session.orderId}'` },
      ];
      for (const [nth, wrong] of payments.entries()) {
        const paid = { ...right, payment_intent: `pi_${session.id}_${nth}`, ...wrong };
        const event = stripe.tell('checkout.session.completed', paid);
        await stripe.deliver(event);
        const { status } = await tries(() => stripe.deliver(event));
        expect(status === 200, `a rightly signed message about ${JSON.stringify(wrong)} was answered ${status}`);
        await expectUnpaid(attack, cheat, session);
      }
    },
  },
  {
    name: 'has a payment told of many times',
    async play({ world, player, random, tries, expect }) {
      const { stripe } = world;
      const cheat = player();
      const session = await checkOut({ player: cheat, world }, { plan: 'basic' });
      const events = [stripe.pay(session, makeBuyer(random))];
      for (let more = 0; more < 3; more++)
        events.push(stripe.tell('checkout.session.async_payment_succeeded', stripe.describe(session)));
      const answers = await Promise.all(
        [...events, ...events, ...events].map((event) => tries(() => stripe.deliver(event))),
      );
      expect(
        answers.every(({ status }) => status === 200),
        `the same payment was answered ${answers.map(({ status }) => status).join()}`,
      );
      await requirePlan({ player: cheat, world }, 'basic');
    },
  },
  {
    name: 'has a payment told of after its refund',
    async play(attack) {
      const { world, player, random, tries } = attack;
      const { stripe } = world;
      const cheat = player();
      const session = await checkOut({ player: cheat, world }, { plan: 'premium' });
      const paid = stripe.pay(session, makeBuyer(random));
      const back = stripe.reverse(session, random.pick(['refunded', 'disputed']));
      const again = stripe.tell('checkout.session.async_payment_succeeded', stripe.describe(session));
      for (const event of random.pick([
        [back, paid, again, back, paid],
        [paid, again, back, paid, again],
      ]))
        await tries(() => stripe.deliver(event));
      await expectUnpaid(attack, cheat, session, 'refunded');
    },
  },
  {
    name: 'has a paid order fail and expire',
    async play({ world, player, random, tries }) {
      const { stripe } = world;
      const cheat = player();
      const session = await checkOut({ player: cheat, world }, { plan: 'plus' });
      await stripe.deliver(stripe.pay(session, makeBuyer(random)));
      for (const type of ['checkout.session.expired', 'checkout.session.async_payment_failed', 'charge.refunded'])
        await tries(() => stripe.deliver(stripe.tell(type, stripe.describe(session))));
      await requirePlan({ player: cheat, world }, 'plus');
    },
  },
];

/** A message that tells of a payment that there was not. */
function tellOf(session: Session, id: string): string {
  const { orderId, amountCents, currency } = session;
  const object = {
    object: 'checkout.session',
    client_reference_id: orderId,
    amount_total: amountCents,
    currency,
    payment_intent: `pi_${session.id}`,
    payment_status: 'paid',
    status: 'complete',
  };
  return JSON.stringify({ id, object: 'event', type: 'checkout.session.completed', data: { object } });
}
