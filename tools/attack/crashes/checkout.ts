import { setTimeout as wait } from 'node:timers/promises';
import { withProgress } from '../../../api/src/ops/progress.ts';
import { checkOut, makeBuyer, requirePlan } from '../players/buying.ts';
import type { Buyer, Event, FakeStripe, Session } from '../fakes/stripe.ts';
import { readLog } from '../oracles/read-log.ts';
import { consultOracle } from '../oracles/run-oracle.ts';
import { DAY_MS, PLAN_IDS, type PlanId } from '../world/product.ts';
import { createPlayer, isOutage, requireAnswer, type Player } from '../players/player.ts';
import type { Report } from '../report.ts';
import { createAddresses, createRandom } from '../world/random.ts';
import { describe } from '../scenarios/scenario.ts';
import { compareSums, consultCheckoutOracle } from '../oracles/checkout-oracle.ts';
import { openWorld } from '../world/world.ts';

/** How many buyers are there at the same time. */
const AT_ONCE = 10;
const DAYS = 2;
/** How many times as many purchases as were asked for are played at most. */
const MAX_ATTEMPTS = 5;
/** The server's clock at the begin of each day: some time after midnight. */
const MORNING_MS = 10 * 60_000;
const RETRY_MS = 50;
/** A buyer without an answer for this time counts as refused. */
const PROGRESS_TIMEOUT_MS = 60_000;
/** When the server is killed: at any moment, or between the message of a payment and its commit, or right after it. */
const MOMENTS = ['any', 'before', 'after'] as const;

const LIMITS = { paymentsPerHour: 1000, statesPerMinute: 10_000, keysPerMinute: 10_000 };

/** What becomes of a payment at the provider. Each makes the event that tells of it. */
type Payment = ReturnType<typeof paymentOf>;

const paymentOf = (stripe: FakeStripe, session: Session, buyer: Buyer) => ({
  pay: () => stripe.pay(session, buyer),
  payLater: () => stripe.pay(session, buyer, { later: true }),
  accept: () => stripe.decide(session, true),
  refuse: () => stripe.decide(session, false),
  refund: () => stripe.reverse(session, 'refunded'),
  dispute: () => stripe.reverse(session, 'disputed'),
  expire: () => stripe.expire(session),
});

interface Outcome {
  /** Whether the buyer has to have the plan now. */
  isServed?: true;
  /** Makes the events in their order: those that are delivered together, then one after another, and another day. */
  play: (payment: Payment) => { together?: Event[]; now?: Event[]; late?: Event[] };
}

const PAID: Outcome = { isServed: true, play: ({ pay }) => ({ now: [pay()] }) };
const REPEATED: Outcome = {
  isServed: true,
  play({ pay }) {
    const event = pay();
    return { together: [event, event], now: [event] };
  },
};
const LATE: Outcome = { play: ({ pay }) => ({ late: [pay()] }) };

/** What becomes of purchases. Most buyers simply pay. */
const OUTCOMES: readonly Outcome[] = [
  ...[PAID, PAID, PAID, PAID, REPEATED, REPEATED, LATE, LATE],
  { isServed: true, play: ({ payLater, accept }) => ({ now: [payLater(), accept()] }) },
  { isServed: true, play: ({ payLater, accept }) => ({ late: [payLater()], now: [accept()] }) },
  { play: ({ payLater, refuse }) => ({ late: [payLater()], now: [refuse()] }) },
  { play: ({ pay, refund }) => ({ now: [pay(), refund()] }) },
  { play: ({ pay, refund }) => ({ late: [pay()], now: [refund()] }) },
  { play: ({ pay, dispute }) => ({ together: [pay(), dispute()] }) },
  { play: ({ expire }) => ({ now: [expire()] }) },
];

/**
 * Plays buyers for some days while the server is killed and restarted. The provider tells of each payment late, twice,
 * out of order or as usual, and repeats what was not acknowledged. In the end the server's tables are compared with the
 * provider's books.
 * @param kills how often the server is killed at each of the moments
 */
export async function playCheckout({
  seed,
  purchases,
  kills,
  postgres,
}: {
  seed: number;
  purchases: number;
  kills: number;
  postgres?: { url: string } | undefined;
}): Promise<Report> {
  const random = createRandom(seed).fork('checkout');
  const morning = Math.ceil(Date.now() / DAY_MS) * DAY_MS + MORNING_MS - Date.now();
  const world = await openWorld({
    random,
    postgresUrl: postgres?.url,
    limits: LIMITS,
    aheadMs: morning,
    preload: './tools/attack/crashes/die-at-commit.ts',
  });
  const { stripe, server, findings } = world;
  const addresses = createAddresses(random.fork('addresses'), 50);
  /** Events that the provider still has to tell of. */
  const late: Event[] = [];
  let begun = 0;
  let done = 0;
  let died = 0;

  try {
    world.toleratesErrors = true;
    for (let day = 0; day < DAYS; day++) {
      if (day > 0) await world.moveClock(morning + day * DAY_MS);
      const share = (all: number) => Math.floor(((day + 1) * all) / DAYS);
      const killsUntil = share(kills * MOMENTS.length);
      const working = Promise.all(Array.from({ length: AT_ONCE }, () => work(share(purchases), killsUntil)));
      const playing = killUntil(killsUntil, working).then(() => working);
      await withProgress(
        `Purchases, ${world.database.name}`,
        () => playing,
        () => `${done} of ${purchases}`,
      );
      await Promise.all(late.splice(0).map(deliver));
    }

    await consultOracle(world);
    await consultCheckoutOracle(world);
    await compareSums(world);
    readLog(world);
    if (died < kills * MOMENTS.length) findings.unplayed.push(`the server was killed ${died} times only`);
    return {
      summary: `${world.database.name}, seed ${seed}: ${done} purchases under ${died} kills, ${stripe.events().length} events of the provider, ${world.requests} answers`,
      findings,
    };
  } finally {
    await world.close();
  }

  /** Buys until so many purchases have begun. On a fast machine more of them, while the server has still to be killed. */
  async function work(until: number, killsUntil: number): Promise<void> {
    while (begun < until || (died < killsUntil && begun < MAX_ATTEMPTS * until)) {
      begun += 1;
      const own = random.fork(`purchase/${begun}`);
      const player = createPlayer(world, { random: own, address: addresses.next() });
      try {
        await buy(player, own.pick(OUTCOMES), own.pick(PLAN_IDS));
      } catch (error) {
        findings.refused.push(`${player.hwid}: ${describe(error)}`);
      }
      done += 1;
      const overdue = own.int(3) === 0 ? late.shift() : undefined;
      if (overdue) await deliver(overdue);
    }
  }

  /** Kills the server in turns at each of the moments, spread over the purchases, until it was killed so often. */
  async function killUntil(times: number, working: Promise<unknown>): Promise<void> {
    let isOver = false;
    void working.then(() => (isOver = true));
    for (let nth = died; nth < times; nth++) {
      const from = ((nth + 0.5) * purchases) / (kills * MOMENTS.length + 1);
      while (done < from && !isOver) await wait(RETRY_MS / 10);
      const dieAt = MOMENTS[nth % MOMENTS.length] ?? 'any';
      if (isOver) return;

      if (dieAt === 'any') await server.kill();
      else await Promise.race([server.order({ dieAt }), working]);
      if (server.isRunning()) return;

      died += 1;
      await world.start();
    }
  }

  async function buy(player: Player, outcome: Outcome, plan: PlanId): Promise<void> {
    const own = random.fork(player.hwid);
    const buyer = makeBuyer(own);
    const customer = { player, world };
    const session = await open(player, plan);
    const { together = [], now = [], late: dueLater = [] } = outcome.play(paymentOf(stripe, session, buyer));
    late.push(...dueLater);
    await Promise.all(together.map(deliver));
    for (const event of now) await deliver(event);
    if (outcome.isServed) await persist(() => requirePlan(customer, plan));
    if (!outcome.isServed || plan !== 'basic' || own.int(2) === 0) return;

    // A week is short enough to buy more at once.
    const further = await open(player, 'plus');
    await deliver(stripe.pay(further, buyer));
    await persist(() => requirePlan(customer, 'basic', 7 + 30));
  }

  /** Follows the button of a plan to the provider. The same click is repeated while the server is away. */
  function open(player: Player, plan: PlanId): Promise<Session> {
    const at = world.now();
    return persist(() => checkOut({ player, world }, plan, at));
  }

  /** Delivers an event, and again until it is acknowledged, as the provider does. */
  async function deliver(event: Event): Promise<void> {
    await persist(async () => {
      const { status, text } = requireAnswer(await stripe.deliver(event));
      if (status !== 200) throw new Error(`An event of the provider was answered ${status} ${text}`);
    });
  }

  /** Repeats something while the server cannot be reached. */
  async function persist<Result>(ask: () => Promise<Result>): Promise<Result> {
    for (const until = Date.now() + PROGRESS_TIMEOUT_MS; ;) {
      try {
        return await ask();
      } catch (error) {
        if (!isOutage(error) || Date.now() > until) throw error;
        await wait(RETRY_MS);
      }
    }
  }
}
