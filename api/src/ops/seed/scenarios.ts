import { ADVERTISER_IDS, type AdvertiserId } from '@app/contracts/advertisers';
import type { AppId } from '@app/contracts/key-system';
import { PAGES } from '@app/contracts/pages';
import type { PlanId } from '@app/contracts/active-plan';
import { utcDay } from '#api/foundation/audit/anchor.ts';
import { enableAdvertiser } from '#api/product/advertisers/advertisers.service.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { eraseDevices } from '#api/product/devices/erase-devices.ts';
import { type Destination, destinationUrl } from '#api/product/key-system/destinations.ts';
import { blockDevices } from '#api/product/key-system/block-devices.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { measureRuns } from '#api/product/key-system/sweep-runs.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { createCountsRepository } from '#api/product/stats/counts.repository.ts';
import { measureVisits } from '#api/product/stats/measure-visits.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';
import { minuteOfDay } from '#api/product/status/record-uptime.ts';
import { createUptimeRepository } from '#api/product/status/uptime.repository.ts';
import { ADVERTISER_VISIT_MS, createSeededVisitor, type SeededVisitor, type SeedDeps } from './seeded-visitor.ts';
import { buyPlan, redeemNewCode } from './paid-plans.ts';

/** The device claim of a scenario. Each scenario has its own device, so that several can be viewed side by side. */
export function claimOf(name: string): { hwid: string; zone: string } {
  return { hwid: `seed-${name}`, zone: 'seed-zone' };
}

/**
 * Puts a scenario's device into its state, whatever it was in before, and turns every advertiser on.
 * @returns the address of the page that shows the state; undefined when there is no such scenario
 */
export async function seed(deps: SeedDeps, name: string): Promise<string | undefined> {
  const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
  if (!scenario) return undefined;

  const claim = claimOf(name);
  const { app = 'main', destination = stepPage(1) } = scenario;
  const visitor = createSeededVisitor(deps, app, claim);
  const act = { by: SEEDER, at: deps.now() };
  const before = await createDevicesRepository(deps.db).findAll(visitor.hwidHmac);
  await eraseDevices(deps, before, act);
  for (const id of ADVERTISER_IDS) await enableAdvertiser(deps, id, true, act);

  const path = await scenario.prepare(visitor);
  return `${deps.baseUrl}${path ?? destinationUrl(app, destination, claim)}`;
}

export function listScenarios(): string {
  const mails = { says: 'Every mail in each language as HTML and as text, to look at. It prints their folder.' };
  const lines = Object.entries({ ...SCENARIOS, mails }).map(([name, { says }]) => `  ${name.padEnd(17)} ${says}`);
  return ['npm run seed -- <scenario>', '', ...lines].join('\n');
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface Scenario {
  says: string;
  /** By default the main app. */
  app?: AppId;
  /** The page that shows it, unless `prepare` returns another one; by default that of step 1. */
  destination?: Destination;
  prepare: (visitor: SeededVisitor) => Promise<string | void>;
}

/** Who seeds, in the audit. */
const SEEDER = 'seed';

const PRIVATE_WINDOW_HINT = 'Open it in a window without the site’s cookie.';

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  fresh: {
    says: 'A device that is new here.',
    prepare: () => Promise.resolve(),
  },
  'usual-time': {
    says: 'Step 1 after 100 past runs: it says how long they and their visits took.',
    prepare: (visitor) => addPastRuns(visitor, 100),
  },
  ...Object.fromEntries([2, 3, 4, 5, 6].map((at) => [`step-${at}`, createStepScenario('main', at)])),
  ...Object.fromEntries([2, 3].map((at) => [`companion-step-${at}`, createStepScenario('companion', at)])),
  waiting: {
    says: 'Back from LootLabs, whose own call has not come.',
    destination: { page: 'step', step: 2, advertiser: 'lootlabs', wait: true },
    async prepare(visitor) {
      await visitor.walkTo(2);
      await visitor.visit({ leftAt: visitor.now() - ADVERTISER_VISIT_MS, says: 'awaited', advertiser: 'lootlabs' });
    },
  },
  'cooling-down': {
    says: `Three strikes, so a quarter of an hour to wait. ${PRIVATE_WINDOW_HINT}`,
    destination: { page: 'bypass', reason: 'KS_PROOF' },
    prepare: coolDown,
  },
  blocked: {
    says: 'Kept out by an operator for a day.',
    destination: { page: 'bypass', reason: 'KS_BLOCKED' },
    async prepare(visitor) {
      await visitor.walkTo(2);
      const { id } = await visitor.findDevice();
      const at = visitor.now();
      await blockDevices(visitor, [id], { reason: 'seeded', until: at + 24 * HOUR_MS }, { by: SEEDER, at });
    },
  },
  'active-key': {
    says: 'A key an hour old.',
    destination: { page: 'getkey' },
    prepare: (visitor) => visitor.earnKey(HOUR_MS),
  },
  'expiring-key': {
    says: 'A key with ten minutes left.',
    destination: { page: 'getkey' },
    prepare: (visitor) => visitor.earnKey(24 * HOUR_MS - 10 * MINUTE_MS),
  },
  'expired-key': {
    says: 'A key that ended an hour ago.',
    destination: { page: 'getkey' },
    prepare: (visitor) => visitor.earnKey(25 * HOUR_MS),
  },
  'provider-down': {
    says: 'Step 2, with Work.ink turned off.',
    destination: stepPage(2),
    async prepare(visitor) {
      await visitor.walkTo(2);
      await enableAdvertiser(visitor, 'workink', false, { by: SEEDER, at: visitor.now() });
    },
  },
  limited: {
    says: `Step 1, with no try left this hour. ${PRIVATE_WINDOW_HINT}`,
    async prepare(visitor) {
      const startedAt = visitor.now() - MINUTE_MS;
      await visitor.passCaptcha(startedAt);
      for (let tries = 0; tries < visitor.limits.attemptsPerHour; tries++) await visitor.leave(startedAt + tries);
    },
  },
  'plan-active': {
    says: 'A Plus plan, bought ten days ago: no steps.',
    prepare: (visitor) => buySeedPlan(visitor, 'plus', 10 * DAY_MS),
  },
  'plan-ending': {
    says: 'A Plus plan that ends in five days, and can be renewed.',
    prepare: (visitor) => buySeedPlan(visitor, 'plus', 25 * DAY_MS),
  },
  'plan-ended': {
    says: 'A Basic plan that ended a day ago.',
    prepare: (visitor) => buySeedPlan(visitor, 'basic', 8 * DAY_MS),
  },
  'payment-pending': {
    says: 'Back from the payment of Plus, which is not confirmed.',
    prepare: (visitor) => buyPlan(visitor, { planId: 'plus', agoMs: MINUTE_MS, reported: 'nothing' }),
  },
  'payment-paid': {
    says: 'Back from the payment of Premium, which is confirmed.',
    prepare: (visitor) => buyPlan(visitor, { planId: 'premium', agoMs: MINUTE_MS, reported: 'paid' }),
  },
  'payment-refunded': {
    says: 'The payment of Plus was given back, and the plan with it.',
    prepare: (visitor) => buyPlan(visitor, { planId: 'plus', agoMs: HOUR_MS, reported: 'refunded' }),
  },
  status: {
    says: 'The status of the site, which has been up for 75 days but for a few minutes.',
    async prepare(visitor) {
      await addPastDays(visitor, 75);
      await addPastRuns(visitor, 100);
      return PAGES.status;
    },
  },
  'code-redeemed': {
    says: 'A reseller’s code for Basic was redeemed just now: no steps.',
    prepare: (visitor) => redeemNewCode(visitor, 'basic', { by: SEEDER, at: visitor.now() }),
  },
};

async function buySeedPlan(visitor: SeededVisitor, planId: PlanId, agoMs: number): Promise<void> {
  await buyPlan(visitor, { planId, agoMs, reported: 'paid' });
}

function stepPage(at: number): Destination {
  return { page: 'step', step: at };
}

function createStepScenario(app: AppId, at: number): Scenario {
  return {
    app,
    says: `Step ${at} of the ${app} app.`,
    destination: stepPage(at),
    prepare: (visitor) => visitor.walkTo(at),
  };
}

async function coolDown(visitor: SeededVisitor): Promise<void> {
  await visitor.walkTo(2);
  const { from } = visitor.limits.strikes.short;
  // The clock goes on meanwhile, and a visitor with a cooldown cannot start another step.
  const endsAt = visitor.now();
  for (let leftAt = endsAt - from; leftAt < endsAt; leftAt++)
    await visitor.visit({ leftAt, awayMs: 1, says: 'refused' });
}

async function addPastDays({ db, appId, now }: SeededVisitor, count: number): Promise<void> {
  const [today, yesterday] = [0, 1].map((ago) => utcDay(now() - ago * DAY_MS)) as [string, string];
  const days = Array.from({ length: count }, (_, nth) => ({
    day: utcDay(now() - (nth + 1) * DAY_MS),
    firstMinute: 0,
    lastMinute: 1439,
    minutes: nth === 22 ? 1421 : nth === 46 ? 1438 : 1440,
  }));
  const minute = minuteOfDay(now());
  // Of today a server may have noted its own minutes.
  const sinceMidnight = { day: today, firstMinute: 0, lastMinute: minute, minutes: minute + 1 };
  await createUptimeRepository(db).put([...days, sinceMidnight]);
  const counts = createCountsRepository(db);
  if ((await counts.readKeys({ since: yesterday, appId })).length > 0) return;
  await counts.addKeys('issued', yesterday, [{ appId, count: 3820 }]);
  await counts.addKeys('issued', today, [{ appId, count: 1240 }]);
}

/** What visits took in past runs, and how many of 100 finished. */
const PAST_VISITS: readonly { advertiserId: AdvertiserId; minutes: number; of100: number }[] = [
  { advertiserId: 'linkvertise', minutes: 1, of100: 96 },
  { advertiserId: 'rinku', minutes: 2, of100: 91 },
  { advertiserId: 'lootlabs', minutes: 2, of100: 88 },
  { advertiserId: 'workink', minutes: 3, of100: 93 },
];

/** Longer than any of the runs takes. */
const RUN_INTERVAL_MS = 10 * MINUTE_MS;

/**
 * Inserts completed runs as if they were of as many networks, with their visits, and measures them. They took 5 to 11 minutes, 8 in the
 * middle. Only their rows are made: played with all their steps, they would take as long as a hundred other scenarios.
 */
async function addPastRuns({ db, appId, now }: SeededVisitor, count: number): Promise<void> {
  const runs = createRunsRepository(db);
  const attempts = createAttemptsRepository(db);
  const devices = createDevicesRepository(db);

  for (let nth = 1; nth <= count; nth++) {
    const device = await devices.ensure(appId, `seed-${nth}`, now());
    const [runId, completedAt] = [randomId(), now() - nth * RUN_INTERVAL_MS];
    await runs.insert({
      id: runId,
      appId,
      deviceId: device.id,
      zoneHmac: '',
      sealedSubject: '',
      os: 'android',
      stepsRequired: 6,
      step: 6,
      state: 'completed',
      ipHmac: `seed-${nth}`,
      createdAt: completedAt - (5 + (nth % 7)) * MINUTE_MS,
      updatedAt: completedAt,
      expiresAt: completedAt,
      completedAt,
    });
    for (const [at, { advertiserId, minutes, of100 }] of PAST_VISITS.entries()) {
      const issuedAt = completedAt - minutes * MINUTE_MS;
      const id = randomId();
      await attempts.insert({
        ...{ id, runId, advertiserId, step: at + 1, tokenHash: id, sealedContext: '' },
        ...{ issuedAt, notBefore: issuedAt, expiresAt: completedAt },
        ...(nth % 100 < of100 && { state: 'verified', returnedAt: completedAt, verifiedAt: completedAt }),
        ipHmac: `seed-${nth}`,
      });
    }
  }
  await measureRuns({ db, now });
  await measureVisits({ db, now });
}
