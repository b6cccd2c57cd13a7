import type { AdvertiserId } from '@app/contracts/advertisers';
import type { AdvertiserRow, Db } from '#api/foundation/db/schema.ts';
import type { LinkOrder, ProofVerdict } from '#api/product/advertisers/advertiser.ts';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import { createCaptchaRepository } from '#api/product/captcha/captcha.repository.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import { createKeySubjectCipher } from '#api/product/key-system/ticket.ts';
import type { KeySystem } from '#api/product/key-system/key-system.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import type { QueuedWrite } from '#api/product/key-system/key-system.ts';
import { returnVisit } from '#api/product/key-system/return/return-visit.ts';
import { type StartRequest, startRun } from '#api/product/key-system/start/start-run.ts';
import { watchStatements } from '#api/test/databases/watch-statements.ts';
import { buildKey, buildPass, T0 } from '#api/test/build-rows.ts';

const PSEUDONYMS = createPseudonyms('a pepper of the fixture');

export const VISITOR = { hwid: 'device-1234', zone: 'zone-1' };

/** The shortest stay at every advertiser, in milliseconds. */
export const DWELL_MS = 10_000;

export const clientOf = (browser: string | undefined, network = 'network'): ClientIdentity => ({
  browser: browser === undefined ? undefined : { hmac: browser, since: 0 },
  networks: [network, `${network} yesterday`],
});

export const OWNER = clientOf('owner');

/** The use cases of the key system on a database, without HTTP. The test controls the clock and the advertisers. */
export function createFixture(db: Db) {
  const { db: watched, failNext, afterNext } = watchStatements(db);
  const advertisers = createAdvertisersRepository(db);
  const says = {
    time: T0,
    verdict: { verdict: 'confirmed', ref: null } as ProofVerdict,
    /** Runs while an advertiser is asked. */
    meanwhile: () => Promise.resolve<unknown>(undefined),
    bringsProof: true,
    /** Which advertisers are unavailable. */
    isDown: (() => false) as (id: AdvertiserId) => boolean,
    /** Whether keys can be signed. */
    signs: true,
    isOverloaded: false,
    /** Whether advertisers give a link. */
    givesLink: true,
  };
  /** The advertisers that were asked for a proof, the ordered links, and the writes that were put off. */
  const seen = {
    asked: [] as AdvertiserId[],
    links: [] as LinkOrder[],
    later: [] as QueuedWrite[],
  };
  const present = (row: AdvertiserRow) => ({ ...row, minDwellMs: DWELL_MS, ok: !says.isDown(row.id) });

  const keySystem: KeySystem = {
    db: watched,
    instance: 'fixture',
    limits: DEFAULT_LIMITS,
    advertisers: {
      present,
      getTerms: async (id) => present(await advertisers.get(id)),
      findStepRoute: async (_place, wanted) => {
        const advertiserId = (wanted ?? 'linkvertise') as AdvertiserId;
        return { ...present(await advertisers.get(advertiserId)), advertiserId, link: 'https://panel.example/' };
      },
      createLink: (_id, order) => {
        seen.links.push(order);
        return Promise.resolve(says.givesLink ? order.returnUrl : undefined);
      },
      bringsProof: () => says.bringsProof,
      isAddressProof: (id) => id === 'rinku',
      checkProof: async (id) => {
        seen.asked.push(id);
        await says.meanwhile();
        return says.verdict;
      },
    },
    keys: {
      prepare: ({ subject, at, ttlMs }) =>
        says.signs
          ? Promise.resolve(buildKey({ id: null, deviceId: '' }, { jws: subject, issuedAt: at, expiresAt: at + ttlMs }))
          : Promise.reject(new SignerUnavailable('The fixture has no signer.')),
    },
    pseudonyms: PSEUDONYMS,
    subjectCipher: createKeySubjectCipher('a pepper of the fixture'),
    retryQueue: { add: (write) => void seen.later.push(write) },
    postbackSecret: () => 'postback secret',
    isOverloaded: () => says.isOverloaded,
    baseUrl: () => 'https://site.example',
    now: () => says.time,
  };

  function startStep(request: Partial<StartRequest> = {}) {
    const { by = OWNER } = request;
    return startRun(keySystem, {
      appId: 'main',
      visitor: VISITOR,
      os: 'android',
      advertiser: undefined,
      by,
      visitorHmac: by.browser?.hmac ?? null,
      step: undefined,
      run: undefined,
      ...request,
    });
  }

  /** Starts a step. Returns the ticket of the return address. */
  async function leave(request: Partial<StartRequest> = {}): Promise<string> {
    const result = await startStep(request);
    if (result.kind !== 'advertiser')
      throw new Error(`The visitor did not leave for the advertiser: ${JSON.stringify(result)}.`);
    return new URL(result.url).pathname.replace('/api/keysystem/return/', '');
  }

  return {
    says,
    seen,
    failNext,
    afterNext,
    keySystem,
    startStep,
    leave,

    passCaptcha: async (by: ClientIdentity = OWNER, hwid = VISITOR.hwid): Promise<void> => {
      await createCaptchaRepository(db).grant(
        buildPass({
          hwidHmac: PSEUDONYMS.hwid(hwid),
          expiresAt: says.time + 1,
          visitorHmac: by.browser?.hmac ?? null,
          ipHmac: by.networks[0],
        }),
      );
    },

    comeBack: (ticket: string, by = OWNER) => returnVisit(keySystem, { ticket, query: {}, by }),

    /** Leaves for an advertiser, and comes back after the shortest stay. */
    walkStep: async (request: Partial<StartRequest> = {}): Promise<void> => {
      const ticket = await leave(request);
      says.time += DWELL_MS;
      await returnVisit(keySystem, { ticket, query: {}, by: request.by ?? OWNER });
    },

    attempts: () => db.selectFrom('stepAttempt').selectAll().orderBy('issuedAt').execute(),
    run: () => db.selectFrom('run').selectAll().executeTakeFirstOrThrow(),
    strikes: () => db.selectFrom('strike').select(['code', 'at', 'visitorHmac']).execute(),
  };
}

/** A visitor who left for an advertiser, and was away for so long. */
export async function navigateTo(db: Db, awayMs = DWELL_MS, advertiser: string | undefined = undefined) {
  const fixture = createFixture(db);
  await fixture.passCaptcha();
  const ticket = await fixture.leave({ advertiser });
  fixture.says.time += awayMs;
  return { ...fixture, ticket, comeBack: () => fixture.comeBack(ticket) };
}
