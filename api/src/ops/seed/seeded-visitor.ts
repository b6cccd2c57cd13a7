import { type AdvertiserId, pickAdvertiser } from '@app/contracts/advertisers';
import type { AppId, OperatingSystem } from '@app/contracts/key-system';
import type { AdvertiserRow, Db, DeviceRow } from '#api/foundation/db/schema.ts';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import { createCaptchaService } from '#api/product/captcha/captcha.service.ts';
import { type ClientIdentity, networkOf } from '#api/foundation/visitors/client-identity.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { createKeySubjectCipher } from '#api/product/key-system/ticket.ts';
import type { KeySystem } from '#api/product/key-system/key-system.ts';
import type { Limits } from '#api/product/limits/limits.ts';
import { returnVisit } from '#api/product/key-system/return/return-visit.ts';
import { startRun } from '#api/product/key-system/start/start-run.ts';
import { createKeysService } from '#api/product/keys/keys.service.ts';
import type { Signer } from '#api/foundation/crypto/signing-key.ts';
import { createSigningKeysService } from '#api/product/keys/signing-keys.service.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';

/**
 * How long a seeded visitor takes for a step, and how long of that they are away, in milliseconds. Longer than every
 * advertiser's shortest stay.
 */
const STEP_MS = 60_000;
export const ADVERTISER_VISIT_MS = 40_000;

const OS: OperatingSystem = 'android';

export interface SeedDeps {
  db: Db;
  pepper: string;
  signingKey: Signer;
  limits: Limits;
  baseUrl: string;
  now: () => number;
}

export type SeededVisitor = ReturnType<typeof createSeededVisitor>;

/** The advertiser's verdict when a visitor is back. */
type Verdict = 'confirmed' | 'refused' | 'awaited';

interface AdvertiserVisit {
  /** Epoch milliseconds. */
  leftAt: number;
  awayMs?: number;
  says: Verdict;
  advertiser?: AdvertiserId;
}

/** Plays a visitor with one device, through the product's own use cases, at any time in the past. */
export function createSeededVisitor(
  { db, pepper, signingKey, limits, baseUrl, now }: SeedDeps,
  appId: AppId,
  claim: { hwid: string; zone: string },
) {
  let time = now();
  let verdict: Verdict = 'confirmed';
  const clock = () => time;
  const pseudonyms = createPseudonyms(pepper);
  const hwidHmac = pseudonyms.hwid(claim.hwid);
  const keys = createKeysService({ db, signingKey, pseudonyms, issuer: () => baseUrl, now: clock });
  const captcha = createCaptchaService({
    db,
    provider: { id: 'altcha', verify: () => Promise.resolve(randomId()) },
    pseudonyms,
    passMs: limits.captchaPassMs,
    now: clock,
  });
  const keySystem: KeySystem = {
    db,
    instance: 'seed',
    // A scenario may need more tries than a visitor has.
    limits: { ...limits, attemptsPerHour: Infinity, attemptsOfAllPerHour: Infinity, startsPerHour: Infinity },
    advertisers: createCompliantAdvertisers(db, () => verdict),
    keys,
    pseudonyms,
    subjectCipher: createKeySubjectCipher(pepper),
    retryQueue: {
      add({ reason }) {
        throw reason;
      },
    },
    postbackSecret: randomId,
    isOverloaded: () => false,
    baseUrl: () => baseUrl,
    now: clock,
  };

  const identity = (): ClientIdentity => ({
    browser: undefined,
    networks: pseudonyms.networks(networkOf('127.0.0.1'), time),
  });

  /** Starts the next step. Returns the ticket that the visitor leaves with. */
  async function leave(at: number, advertiser?: AdvertiserId): Promise<string> {
    time = at;
    const who = { visitor: claim, by: identity(), visitorHmac: null };
    const result = await startRun(keySystem, { appId, os: OS, advertiser, step: undefined, run: undefined, ...who });
    if (result.kind !== 'advertiser')
      throw new Error(`The visitor was not sent to an advertiser: ${JSON.stringify(result)}.`);

    return new URL(result.url).pathname.split('/').at(-1) ?? '';
  }

  /** Visits an advertiser and comes back; the advertiser gives this verdict. */
  async function visit({ leftAt, says, awayMs = ADVERTISER_VISIT_MS, advertiser }: AdvertiserVisit): Promise<void> {
    const ticket = await leave(leftAt, advertiser);
    time = leftAt + awayMs;
    verdict = says;
    const result = await returnVisit(keySystem, { ticket, query: {}, by: identity() });
    if (result.kind !== 'destination') throw new Error(`The return was refused: ${JSON.stringify(result)}.`);
  }

  async function passCaptcha(at: number): Promise<void> {
    time = at;
    const [ipHmac] = identity().networks;
    await captcha.verify({ token: '', hwid: claim.hwid, os: OS, advertiser: null, visitorHmac: null, ipHmac });
  }

  /** Finishes `count` steps, one a minute, the last one at `finishedAt`. */
  async function finishSteps(count: number, finishedAt: number): Promise<void> {
    const startedAt = finishedAt - ADVERTISER_VISIT_MS - (count - 1) * STEP_MS;
    await passCaptcha(startedAt);
    for (let step = 0; step < count; step++) await visit({ leftAt: startedAt + step * STEP_MS, says: 'confirmed' });
  }

  return {
    db,
    pepper,
    baseUrl,
    limits,
    now,
    appId,
    claim,
    hwidHmac,
    leave,
    visit,
    passCaptcha,

    /** The device's row, which exists once it has begun a run. */
    async findDevice(): Promise<DeviceRow> {
      const device = await createDevicesRepository(db).find(appId, hwidHmac);
      if (!device) throw new Error('The device is gone.');
      return device;
    },

    /** Opens a run that is now at this step; the step must be 2 or later. */
    async walkTo(step: number): Promise<void> {
      await finishSteps(step - 1, now() - STEP_MS);
    },

    /** Completes a run; its key was signed `agoMs` milliseconds ago. */
    async earnKey(agoMs: number): Promise<void> {
      await createSigningKeysService({ db, now }).rotate(signingKey);
      const { stepsPerSeries, seriesRequired } = await createAppsRepository(db).get(appId);
      await finishSteps(stepsPerSeries * seriesRequired, now() - agoMs);
    },
  };
}

/** Advertisers that send every visitor straight back, and give the wanted verdict. */
function createCompliantAdvertisers(db: Db, verdictOf: () => Verdict): KeySystem['advertisers'] {
  const advertisers = createAdvertisersRepository(db);
  const present = (row: AdvertiserRow) => ({ ...row, minDwellMs: 0, ok: true });

  return {
    present,
    getTerms: async (id) => present(await advertisers.get(id)),
    findStepRoute({ appId, step, offered }, wanted) {
      const advertiserId = pickAdvertiser(appId, step, wanted, offered);
      return Promise.resolve({ advertiserId, link: null, ok: true, minDwellMs: 0 });
    },
    createLink: (_id, { returnUrl }) => Promise.resolve(returnUrl),
    bringsProof: () => true,
    isAddressProof: () => false,
    checkProof: () => {
      const verdict = verdictOf();
      return Promise.resolve(verdict === 'confirmed' ? { verdict, ref: randomId() } : { verdict });
    },
  };
}
