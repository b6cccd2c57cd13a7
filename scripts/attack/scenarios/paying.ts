import { checkOut, click, makeBuyer, readOrder, requirePlan } from '../buying.ts';
import type { Session } from '../fake-stripe.ts';
import { PLAN_IDS, PLANS } from '../plans.ts';
import { FOLLOWED, SCRIPTED, type Player } from '../player.ts';
import { BEHIND_THE_BACK } from './headers.ts';
import { ODD } from './odd-values.ts';
import type { Attack, Scenario } from './scenario.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Attempts to get a plan for no money, or to begin payments for others. */
export const PAYING: Scenario[] = [
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
        const { status } = await tries(() => stripe.deliver(stripe.tell('checkout.session.completed', paid)));
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
  {
    name: 'types the pages of paid plans',
    async play(attack) {
      const { world, player, random, tries, expect } = attack;
      const cheat = player();
      const session = await checkOut({ player: cheat, world }, { plan: 'premium' });
      for (const plan of PLAN_IDS)
        for (const ref of ['', random.base64url(22), session.orderId])
          await tries(() => cheat.send(`/success-${plan}?ref=${ref}&${cheat.who()}`));
      const body = { ref: session.orderId, showsName: true, wantsReminder: true };
      const { status } = await tries(() => cheat.post('/api/order-consent', body));
      expect(status === 404, `the consent of an order that nobody paid was answered ${status}`);
      await expectUnpaid(attack, cheat, session);
    },
  },
  {
    name: 'guesses orders',
    async play({ player, random, tries, expect }) {
      const cheat = player();
      for (const ref of [...random.shuffle(ODD).slice(0, 6), random.base64url(22), random.base64url(21)]) {
        const query = new URLSearchParams({ ref }).toString();
        const read = await tries(() => cheat.send(`/api/order-status?${query}`, { headers: SCRIPTED }));
        expect(read.status === 404, `the order ${ref} was answered ${read.status} ${read.text}`);
        const back = await tries(() => cheat.send(`/api/payment-return?${query}`));
        expect(
          back.status === 404 || back.location === '/payment-failed',
          `the way back from the order ${ref} was answered ${back.status} ${back.location}`,
        );
      }
    },
  },
  {
    name: "begins payments behind the visitor's back",
    async play({ world, player, tries, expect }) {
      const victim = player();
      for (const headers of BEHIND_THE_BACK) {
        const { session } = await tries(() => click({ player: victim, world }, { plan: 'plus', headers }));
        expect(!session, `a request with ${JSON.stringify(headers)} began a payment`);
      }
      for (const method of ['HEAD', 'POST', 'OPTIONS']) {
        const { location } = await tries(() => victim.send(`/api/create-payment?${victim.who()}&mode=2`, { method }));
        expect(location === undefined, `${method} led to ${location}`);
      }
      await checkOut({ player: victim, world }, { plan: 'plus' });
    },
  },
  {
    name: 'changes plan and price in the address',
    async play({ world, player, random, tries, expect }) {
      const cheat = player();
      const paths = [
        ...random
          .shuffle(ODD)
          .slice(0, 4)
          .map((mode) => new URLSearchParams({ mode }).toString()),
        ...['mode=4', 'mode=03', 'mode=3.0', 'mode=1&mode=3', 'mode[]=3', 'plan=premium', ''],
        ...['price=1', 'amount=1', 'amount_cents=1', 'currency=huf', 'unit_amount=50', 'plan=basic', 'quantity=0'].map(
          (more) => `mode=3&${more}`,
        ),
      ];
      for (const path of random.shuffle(paths).slice(0, 8)) {
        const { status, location } = await tries(() => cheat.send(`/api/create-payment?${cheat.who()}&${path}`));
        const session = world.stripe.sessionAt(location);
        if (session) world.ordered.set(session.orderId, cheat.hwid);
        expect(
          session ? session.amountCents === PLANS.premium.cents && path.startsWith('mode=3&') : status === 400,
          `${path} was answered ${status}, for ${session?.amountCents} ${session?.currency}`,
        );
      }
    },
  },
  {
    name: 'begins payments without end',
    most: 3,
    async play({ player, tries, expect }) {
      const cheat = player();
      const statuses: number[] = [];
      for (let times = 0; times < 15; times++)
        statuses.push(
          (await tries(() => cheat.send(`/api/create-payment?${cheat.who()}&mode=1`, { headers: FOLLOWED }))).status,
        );
      expect(statuses.includes(429), `15 payments of one device within an hour were answered ${statuses.join()}`);
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

/** Expects that a device has no plan, and that its order does not count as paid. */
async function expectUnpaid({ expect }: Attack, player: Player, session: Session, state = 'redirected'): Promise<void> {
  const order = await readOrder(player, session);
  expect(order?.state === state, `an order is ${order?.state} instead of ${state}`, 'unpaid');
  const told = await player.key();
  expect(told?.status === 'none', `a device without a plan is told ${JSON.stringify(told)}`, 'unpaid');
}
