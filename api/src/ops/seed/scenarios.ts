import type { AppId } from '@app/contracts/key-system';
import { createAdvertisersRepository } from '#api/features/advertisers/advertisers.repository.ts';
import { createBlocksRepository } from '#api/features/devices/blocks.repository.ts';
import type { Destination } from '#api/features/key-system/destinations.ts';
import { createStrikesRepository } from '#api/features/key-system/strikes.repository.ts';
import { randomId } from '#api/crypto/random-id.ts';
import type { Stage } from './stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface Scenario {
  says: string;
  app: AppId;
  /** The page that shows it. */
  stop: Destination;
  prepare: (stage: Stage) => Promise<void>;
}

/** Who seeds, on the audit's record. */
export const SEEDER = 'seed';

const PRIVATE_WINDOW = 'Open it in a window without the site’s cookie.';

/** Every state worth looking at, by the name that is typed. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  fresh: { app: 'main', says: 'A device that nobody has seen.', stop: step(1), prepare: () => Promise.resolve() },
  ...Object.fromEntries([2, 3, 4, 5, 6].map((at) => [`step-${String(at)}`, standsAt('main', at)])),
  ...Object.fromEntries([2, 3].map((at) => [`companion-step-${String(at)}`, standsAt('companion', at)])),
  waiting: {
    app: 'main',
    says: 'Back from LootLabs, whose own call has not come.',
    stop: { page: 'step', step: 2, advertiser: 'lootlabs', wait: true },
    prepare: async (stage) => stage.waitForPostback(await stage.walkTo(2)),
  },
  'cooling-down': {
    app: 'main',
    says: `Three strikes, so a quarter of an hour to wait. ${PRIVATE_WINDOW}`,
    stop: { page: 'bypass', reason: 'KS_PROOF' },
    prepare: coolDown,
  },
  blocked: {
    app: 'main',
    says: 'Kept out by an operator for a day.',
    stop: { page: 'bypass', reason: 'KS_BLOCKED' },
    async prepare(stage) {
      const { deviceId } = await stage.walkTo(2);
      const at = stage.now();
      await createBlocksRepository(stage.db).block(
        [deviceId],
        { reason: 'seeded', until: at + 24 * HOUR_MS },
        { by: SEEDER, at },
      );
    },
  },
  'active-key': {
    app: 'main',
    says: 'A key an hour old.',
    stop: { page: 'getkey' },
    prepare: (stage) => stage.earnKey(HOUR_MS),
  },
  'expiring-key': {
    app: 'main',
    says: 'A key with ten minutes left.',
    stop: { page: 'getkey' },
    prepare: (stage) => stage.earnKey(24 * HOUR_MS - 10 * MINUTE_MS),
  },
  'expired-key': {
    app: 'main',
    says: 'A key that ended an hour ago.',
    stop: { page: 'getkey' },
    prepare: (stage) => stage.earnKey(25 * HOUR_MS),
  },
  'provider-down': {
    app: 'main',
    says: 'Step 2, with Work.ink turned off.',
    stop: step(2),
    async prepare(stage) {
      await stage.walkTo(2);
      await createAdvertisersRepository(stage.db).setEnabled('workink', false, { by: SEEDER, at: stage.now() });
    },
  },
  limited: {
    app: 'main',
    says: `Step 1, with no try left this hour. ${PRIVATE_WINDOW}`,
    stop: step(1),
    async prepare(stage) {
      const run = await stage.walkTo(1);
      for (let tries = 0; tries < stage.limits.attemptsPerHour; tries++)
        await stage.leave(run, stage.now() - MINUTE_MS + tries);
    },
  },
};

function step(at: number): Destination {
  return { page: 'step', step: at };
}

function standsAt(app: AppId, at: number): Scenario {
  return {
    app,
    says: `Step ${String(at)} of the ${app} app.`,
    stop: step(at),
    prepare: async (stage) => void (await stage.walkTo(at)),
  };
}

async function coolDown(stage: Stage): Promise<void> {
  const { deviceId } = await stage.walkTo(2);
  const at = stage.now();
  const [ipHmac] = stage.identityAt(at).networks;

  for (let count = 0; count < stage.limits.strikes.short.from; count++) {
    await createStrikesRepository(stage.db).add({
      id: randomId(),
      deviceId,
      visitorHmac: null,
      ipHmac,
      code: 'KS_PROOF',
      weight: 1,
      at: at - count,
    });
  }
}
