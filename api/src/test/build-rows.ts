import { randomUUID } from 'node:crypto';
import type {
  AttemptRow,
  Db,
  NewLicence,
  NewCaptchaPass,
  NewKey,
  NewPurchase,
  NewReseller,
  NewResetRequest,
  RunRow,
} from '#api/foundation/db/schema.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { completeStep, type CompletedStep, type ConfirmedStep } from '#api/product/key-system/return/complete-step.ts';
import { type AttemptOrder, issueAttempt, openRun, type RunOrder } from '#api/product/key-system/start/open-run.ts';
import { createKeySubjectCipher } from '#api/product/key-system/ticket.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createCaptchaRepository } from '#api/product/captcha/captcha.repository.ts';

export const T0 = 1_800_000_000_000;

export const ANONYMOUS: ClientIdentity = { browser: undefined, networks: ['network', 'network yesterday'] };

export function buildPass(changes: Partial<NewCaptchaPass> = {}): NewCaptchaPass {
  return {
    id: randomUUID(),
    provider: 'altcha',
    tokenHash: randomUUID(),
    hwidHmac: 'hwid',
    os: 'android',
    advertiser: null,
    passedAt: T0,
    expiresAt: T0 + 300_000,
    consumedAt: null,
    visitorHmac: null,
    ipHmac: ANONYMOUS.networks[0],
    ...changes,
  };
}

export function buildRun(changes: Partial<RunOrder> = {}): RunOrder {
  return {
    id: randomUUID(),
    appId: 'main',
    hwidHmac: 'hwid',
    zoneHmac: 'zone',
    sealedSubject: 'sealed',
    sealedZone: null,
    os: 'android',
    passOs: 'android',
    stepsRequired: 6,
    by: ANONYMOUS,
    visitorHmac: changes.by?.browser?.hmac ?? null,
    isParallel: false,
    at: T0,
    ...changes,
  };
}

export function buildKey(
  { id: runId, deviceId }: { id: string | null; deviceId: string },
  changes: Partial<NewKey> = {},
): NewKey {
  return {
    jti: randomUUID(),
    appId: 'main',
    deviceId,
    runId,
    kid: 'test-key',
    jws: 'jws',
    issuedAt: T0,
    expiresAt: T0 + 86_400_000,
    revokedAt: null,
    ...changes,
  };
}

export function buildPurchase(changes: Partial<NewPurchase> = {}): NewPurchase {
  return { id: randomUUID(), name: 'Ada L.', location: 'London', countryCode: 'GB', boughtAt: T0, ...changes };
}

export function buildReseller(changes: Partial<NewReseller> = {}): NewReseller {
  return {
    id: randomUUID(),
    name: 'Store',
    logo: 'mark-1',
    description: 'Sells plans.',
    discord: 'https://chat.store.example/',
    buyLink: 'https://store.example/',
    isArceusX: 0,
    trusted: 100,
    position: 1,
    updatedAt: T0,
    ...changes,
  };
}

export function buildLicence(changes: Partial<NewLicence> = {}): NewLicence {
  return { id: randomUUID(), emailHmac: 'email', createdAt: T0, ...changes };
}

/** A request for the licence with the id `licence`. */
export function buildResetRequest(changes: Partial<NewResetRequest> = {}): NewResetRequest {
  return {
    id: randomUUID(),
    licenceId: 'licence',
    emailHmac: 'email',
    tokenHash: randomUUID(),
    createdAt: T0,
    expiresAt: T0 + 1_800_000,
    ...changes,
  };
}

/** An open run, paid for with a pass. */
export async function insertRun(db: Db, changes: Partial<RunOrder> = {}): Promise<RunRow> {
  const run = buildRun(changes);
  await createCaptchaRepository(db).grant(
    buildPass({
      hwidHmac: run.hwidHmac,
      expiresAt: run.at + 1,
      ipHmac: run.by.networks[0],
      visitorHmac: run.by.browser?.hmac ?? null,
    }),
  );

  const opened = await openRun({ db, limits: DEFAULT_LIMITS }, run);
  if (opened.kind !== 'opened') throw new Error(`The run was not opened: ${JSON.stringify(opened)}.`);
  return opened.run;
}

/** An attempt at the run's step: issued at T0, valid from T0 + 10 s to T0 + 15 min. */
export async function insertAttempt(db: Db, run: RunRow, changes: Partial<AttemptOrder> = {}): Promise<AttemptRow> {
  const id = randomUUID();
  const issued = await issueAttempt({ db, limits: DEFAULT_LIMITS }, run, {
    id,
    advertiserId: 'linkvertise',
    tokenHash: randomUUID(),
    sealedContext: 'sealed',
    issuedAt: T0,
    by: ANONYMOUS,
    notBefore: T0 + 10_000,
    expiresAt: T0 + 900_000,
    ...changes,
  });
  const attempt = await createAttemptsRepository(db).findById(changes.id ?? id);
  if (!attempt) throw new Error(`The attempt was not issued: ${JSON.stringify(issued)}.`);
  return attempt;
}

/** What `completeStep` works with. The last step of a run gives a key with an invalid signature. */
export function buildCrediting(db: Db): Parameters<typeof completeStep>[0] {
  return {
    db,
    limits: DEFAULT_LIMITS,
    keys: { prepare: () => Promise.resolve(buildKey({ id: null, deviceId: '' })) },
    subjectCipher: { ...createKeySubjectCipher('pepper'), open: () => 'subject' },
  };
}

export function creditStep(db: Db, step: ConfirmedStep): Promise<CompletedStep> {
  return completeStep(buildCrediting(db), step);
}
