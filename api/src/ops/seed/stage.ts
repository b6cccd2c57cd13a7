import { pickAdvertiser, type AdvertiserId, type AppId } from '@app/contracts/key-system';
import type { AttemptRow, Db, RunRow } from '#api/db/schema.ts';
import { createCaptchaRepository } from '#api/features/captcha/captcha.repository.ts';
import { createPseudonyms } from '#api/features/devices/pseudonyms.ts';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import { createAppsRepository, stepsRequired } from '#api/features/key-system/apps.repository.ts';
import { createAttemptsRepository } from '#api/features/key-system/attempts.repository.ts';
import type { Limits } from '#api/features/key-system/limits.ts';
import { createRunsRepository } from '#api/features/key-system/runs.repository.ts';
import { createKeySubjectCipher } from '#api/features/key-system/key-subject-cipher.ts';
import { createTicket, hashTicket, sealVisitor } from '#api/features/key-system/ticket.ts';
import { createKeysRepository } from '#api/features/keys/keys.repository.ts';
import { createKeysService } from '#api/features/keys/keys.service.ts';
import type { SigningKey } from '#api/crypto/signing-key.ts';
import { createSigningKeysRepository } from '#api/features/keys/signing-keys.repository.ts';
import { createSigningKeysService } from '#api/features/keys/signing-keys.service.ts';
import { networkOf } from '#api/http/network-of.ts';
import { randomId } from '#api/crypto/random-id.ts';

/** What a visitor takes for a step here; longer than any advertiser's minimum. */
const STEP_MS = 60_000;
const AWAY_MS = 40_000;

export interface StageDeps {
  db: Db;
  pepper: string;
  signingKey: SigningKey;
  limits: Limits;
  baseUrl: string;
  now: () => number;
}

export type Stage = ReturnType<typeof createStage>;

/** Lets one device do what visitors do, by the product's own repositories and at any time in the past. */
export function createStage(
  { db, pepper, signingKey, limits, baseUrl, now }: StageDeps,
  appId: AppId,
  hwid: string,
  zone: string,
) {
  const pseudonyms = createPseudonyms(pepper);
  const subjects = createKeySubjectCipher(pepper);
  const runs = createRunsRepository(db, limits);
  const attempts = createAttemptsRepository(db, limits);
  const signingKeys = createSigningKeysRepository(db);
  const keys = createKeysService({
    keys: createKeysRepository(db),
    signingKeys,
    signingKey,
    pseudonyms,
    issuer: () => baseUrl,
    now,
  });
  const hwidHmac = pseudonyms.hwid(hwid);

  /** A browser on this machine that has no cookie yet. */
  const identityAt = (at: number): ClientIdentity => ({
    browser: undefined,
    networks: pseudonyms.networks(networkOf('127.0.0.1'), at),
  });

  async function reload({ id }: RunRow): Promise<RunRow> {
    const run = await runs.find(id);
    if (!run) throw new Error('The run is gone.');
    return run;
  }

  async function openRun(at: number): Promise<RunRow> {
    const app = await createAppsRepository(db).get(appId);
    const pass = {
      id: randomId(),
      provider: 'altcha',
      tokenHash: randomId(),
      hwidHmac,
      os: 'android',
      advertiser: null,
    } as const;
    await createCaptchaRepository(db).grant({
      ...pass,
      passedAt: at,
      expiresAt: at + limits.captchaPassMs,
      consumedAt: null,
      visitorHmac: null,
      ipHmac: identityAt(at).networks[0],
    });

    const id = randomId();
    const opened = await runs.open({
      id,
      appId,
      hwidHmac,
      zoneHmac: pseudonyms.zone(zone),
      sealedSubject: subjects.seal(id, hwid),
      sealedZone: subjects.sealZone(id, zone),
      os: 'android',
      passOs: 'android',
      stepsRequired: stepsRequired(app),
      by: identityAt(at),
      at,
      visitorHmac: null,
      isBeside: false,
    });
    if (opened === 'no pass' || 'limitedUntil' in opened)
      throw new Error(`The run was not opened: ${JSON.stringify(opened)}.`);
    return opened;
  }

  async function leave(run: RunRow, at: number, wanted?: AdvertiserId): Promise<AttemptRow> {
    const [id, ticket] = [randomId(), createTicket()];
    const issued = await attempts.issue(run, {
      id,
      advertiserId: pickAdvertiser(appId, run.step, wanted),
      tokenHash: hashTicket(ticket),
      sealedContext: sealVisitor(ticket, id, { hwid, zone }),
      issuedAt: at,
      notBefore: at,
      expiresAt: at + limits.ticketMs,
      by: identityAt(at),
    });
    const attempt = await attempts.findById(id);
    if (!attempt) throw new Error(`Nobody left for the advertiser: ${JSON.stringify(issued)}.`);
    return attempt;
  }

  async function finish(run: RunRow, at: number): Promise<RunRow> {
    const attempt = await leave(run, at);
    const back = at + AWAY_MS;
    const { keyTtlMs } = await createAppsRepository(db).get(appId);
    const isLast = run.step === run.stepsRequired;
    const key = isLast
      ? keys.prepare({
          appId,
          deviceId: run.deviceId,
          runId: run.id,
          subject: subjects.open(run.id, run.sealedSubject),
          at: back,
          ttlMs: keyTtlMs,
        })
      : undefined;

    await attempts.claim(attempt.tokenHash, back);
    await runs.finishStep({ attempt, run, providerRef: randomId(), key, at: back });
    return reload(run);
  }

  return {
    db,
    limits,
    now,
    appId,
    hwidHmac,
    identityAt,
    leave,

    /** Opens a run that stands at a step at this moment. */
    async walkTo(step: number): Promise<RunRow> {
      const startedAt = now() - step * STEP_MS;
      let run = await openRun(startedAt);
      while (run.step < step) run = await finish(run, startedAt + run.step * STEP_MS);
      return run;
    },

    /** Walks through a whole run, whose key was signed so many milliseconds ago. */
    async earnKey(agoMs: number): Promise<void> {
      await createSigningKeysService({ signingKeys, now }).rotate(signingKey);
      const { stepsPerSeries, seriesRequired } = await createAppsRepository(db).get(appId);
      const last = now() - agoMs - AWAY_MS;
      const startedAt = last - stepsPerSeries * seriesRequired * STEP_MS;
      let run = await openRun(startedAt);
      while (run.state === 'open')
        run = await finish(run, run.step === run.stepsRequired ? last : startedAt + run.step * STEP_MS);
    },

    /** Is back from an advertiser whose own call has not come. */
    async waitForPostback(run: RunRow): Promise<void> {
      const attempt = await leave(run, now() - AWAY_MS, 'lootlabs');
      await attempts.claim(attempt.tokenHash, now());
      await attempts.awaitPostback(attempt.id);
    },
  };
}
