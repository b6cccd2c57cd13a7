import type { PlanId } from '@app/contracts/active-plan';
import type { AppId } from '@app/contracts/key-system';
import { enableAdvertiser } from '#api/product/advertisers/enable-advertiser.ts';
import { blockDevices } from '#api/product/key-system/block-devices.ts';
import type { Destination } from '#api/product/key-system/destinations.ts';
import { buyPlan } from './buy.ts';
import { addPastRuns } from './past-runs.ts';
import { redeemNewCode } from './redeem.ts';
import { AWAY_MS, type Stage } from './stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface Scenario {
  says: string;
  app: AppId;
  /** The page that shows it, unless `prepare` returns another one. */
  destination: Destination;
  prepare: (stage: Stage) => Promise<string | void>;
}

/** Who seeds, in the audit. */
export const SEEDER = 'seed';

const PRIVATE_WINDOW = 'Open it in a window without the site’s cookie.';

/** All scenarios, by the name that is typed. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  fresh: {
    app: 'main',
    says: 'A device that nobody has seen.',
    destination: step(1),
    prepare: () => Promise.resolve(),
  },
  'usual-time': {
    app: 'main',
    says: 'Step 1 after 100 past runs: it says how long they took.',
    destination: step(1),
    prepare: (stage) => addPastRuns(stage, 100),
  },
  ...Object.fromEntries([2, 3, 4, 5, 6].map((at) => [`step-${String(at)}`, standsAt('main', at)])),
  ...Object.fromEntries([2, 3].map((at) => [`companion-step-${String(at)}`, standsAt('companion', at)])),
  waiting: {
    app: 'main',
    says: 'Back from LootLabs, whose own call has not come.',
    destination: { page: 'step', step: 2, advertiser: 'lootlabs', wait: true },
    async prepare(stage) {
      await stage.walkTo(2);
      await stage.visit({ leftAt: stage.now() - AWAY_MS, says: 'awaited', advertiser: 'lootlabs' });
    },
  },
  'cooling-down': {
    app: 'main',
    says: `Three strikes, so a quarter of an hour to wait. ${PRIVATE_WINDOW}`,
    destination: { page: 'bypass', reason: 'KS_PROOF' },
    prepare: coolDown,
  },
  blocked: {
    app: 'main',
    says: 'Kept out by an operator for a day.',
    destination: { page: 'bypass', reason: 'KS_BLOCKED' },
    async prepare(stage) {
      await stage.walkTo(2);
      const { id } = await stage.findDevice();
      const at = stage.now();
      await blockDevices(stage, [id], { reason: 'seeded', until: at + 24 * HOUR_MS }, { by: SEEDER, at });
    },
  },
  'active-key': {
    app: 'main',
    says: 'A key an hour old.',
    destination: { page: 'getkey' },
    prepare: (stage) => stage.earnKey(HOUR_MS),
  },
  'expiring-key': {
    app: 'main',
    says: 'A key with ten minutes left.',
    destination: { page: 'getkey' },
    prepare: (stage) => stage.earnKey(24 * HOUR_MS - 10 * MINUTE_MS),
  },
  'expired-key': {
    app: 'main',
    says: 'A key that ended an hour ago.',
    destination: { page: 'getkey' },
    prepare: (stage) => stage.earnKey(25 * HOUR_MS),
  },
  'provider-down': {
    app: 'main',
    says: 'Step 2, with Work.ink turned off.',
    destination: step(2),
    async prepare(stage) {
      await stage.walkTo(2);
      await enableAdvertiser(stage, 'workink', false, { by: SEEDER, at: stage.now() });
    },
  },
  limited: {
    app: 'main',
    says: `Step 1, with no try left this hour. ${PRIVATE_WINDOW}`,
    destination: step(1),
    async prepare(stage) {
      const startedAt = stage.now() - MINUTE_MS;
      await stage.passCaptcha(startedAt);
      for (let tries = 0; tries < stage.limits.attemptsPerHour; tries++) await stage.leave(startedAt + tries);
    },
  },
  'plan-active': {
    app: 'main',
    says: 'A Plus plan, bought ten days ago: no steps.',
    destination: step(1),
    prepare: (stage) => buy(stage, 'plus', 10 * DAY_MS),
  },
  'plan-ending': {
    app: 'main',
    says: 'A Plus plan that ends in five days, and can be renewed.',
    destination: step(1),
    prepare: (stage) => buy(stage, 'plus', 25 * DAY_MS),
  },
  'plan-ended': {
    app: 'main',
    says: 'A Basic plan that ended a day ago.',
    destination: step(1),
    prepare: (stage) => buy(stage, 'basic', 8 * DAY_MS),
  },
  'payment-pending': {
    app: 'main',
    says: 'Back from the payment of Plus, which nobody has confirmed.',
    destination: step(1),
    prepare: (stage) => buyPlan(stage, { planId: 'plus', agoMs: MINUTE_MS, told: 'nothing' }),
  },
  'payment-paid': {
    app: 'main',
    says: 'Back from the payment of Premium, which is confirmed.',
    destination: step(1),
    prepare: (stage) => buyPlan(stage, { planId: 'premium', agoMs: MINUTE_MS, told: 'paid' }),
  },
  'payment-refunded': {
    app: 'main',
    says: 'The payment of Plus was given back, and the plan with it.',
    destination: step(1),
    prepare: (stage) => buyPlan(stage, { planId: 'plus', agoMs: HOUR_MS, told: 'refunded' }),
  },
  'code-redeemed': {
    app: 'main',
    says: 'A reseller’s code for Basic was redeemed just now: no steps.',
    destination: step(1),
    prepare: (stage) => redeemNewCode(stage, 'basic', { by: SEEDER, at: stage.now() }),
  },
};

async function buy(stage: Stage, planId: PlanId, agoMs: number): Promise<void> {
  await buyPlan(stage, { planId, agoMs, told: 'paid' });
}

function step(at: number): Destination {
  return { page: 'step', step: at };
}

function standsAt(app: AppId, at: number): Scenario {
  return {
    app,
    says: `Step ${String(at)} of the ${app} app.`,
    destination: step(at),
    prepare: (stage) => stage.walkTo(at),
  };
}

async function coolDown(stage: Stage): Promise<void> {
  await stage.walkTo(2);
  const { from } = stage.limits.strikes.short;
  // The clock goes on meanwhile; a visitor who has to wait already cannot leave once more.
  const endsAt = stage.now();
  for (let leftAt = endsAt - from; leftAt < endsAt; leftAt++) await stage.visit({ leftAt, awayMs: 1, says: 'refused' });
}
