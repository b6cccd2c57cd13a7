import { checkOut, readOrder } from '../players/buying.ts';
import type { Session } from '../fakes/stripe.ts';
import { PLAN_IDS, PLANS } from '../world/product.ts';
import { FOLLOWED, SCRIPTED, type Player } from '../players/player.ts';
import { ODD } from './odd-values.ts';
import type { Attack, Scenario } from './scenario.ts';

/** Attempts to have plans without paying, to pay less, and to begin payments for others. */
export const PAYING: Scenario[] = [
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
      expect(status === 404, `the consent of an unpaid order was answered ${status}`);
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
          `the return from the order ${ref} was answered ${back.status} ${back.location}`,
        );
      }
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

/** Expects that a device has no plan, and that its order does not count as paid. */
async function expectUnpaid({ expect }: Attack, player: Player, session: Session, state = 'redirected'): Promise<void> {
  const order = await readOrder(player, session);
  expect(order?.state === state, `an order is ${order?.state} instead of ${state}`, 'unpaid');
  const told = await player.key();
  expect(told?.status === 'none', `a device without a plan is told ${JSON.stringify(told)}`, 'unpaid');
}
