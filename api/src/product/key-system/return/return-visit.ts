import type { AppId } from '@app/contracts/key-system';
import { type ErrorCode, parseErrorCode } from '@app/contracts/errors';
import { SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import { DatabaseQueueFull, DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import type { AttemptRow, RunRow } from '#api/foundation/db/schema.ts';
import type { ProofVerdict, ReturnQuery } from '#api/product/advertisers/advertiser.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { DeviceClaim } from '#api/product/devices/device.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { createAttemptsRepository, createStrikesRepository } from '#api/product/key-system/attempts.repository.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';
import { completeStep } from './complete-step.ts';
import {
  type LocatedRun,
  redirectTo,
  type PageResult,
  resolveDestination,
} from '#api/product/key-system/destinations.ts';
import { isTraceOf, type StrikeCode, WEIGHTS } from '#api/product/key-system/eligibility.ts';
import type { KeySystem } from '#api/product/key-system/key-system.ts';
import { isStartedBy, isClaimable, isEarly, isOpen } from '#api/product/key-system/run-lifecycle.ts';
import { hashTicket, isTicket, openVisitor } from '#api/product/key-system/ticket.ts';

export interface ReturnVisit {
  ticket: string;
  query: ReturnQuery;
  by: ClientIdentity;
}

/** Where a return leads: to a page, to a short wait at the same address, or nowhere because the ticket is unknown. */
export type ReturnResult =
  (PageResult & { appId: AppId; visitor: DeviceClaim }) | { kind: 'wait'; waitMs: number } | { kind: 'unknown' };

interface LoadedReturn extends ReturnVisit {
  attempt: AttemptRow;
  run: RunRow;
}

/** Handles a visitor who comes back. A step is credited only for a claimed ticket that the advertiser confirms. */
export async function returnVisit(keySystem: KeySystem, visit: ReturnVisit): Promise<ReturnResult> {
  const { db, advertisers, now } = keySystem;
  const at = now();
  const found = isTicket(visit.ticket)
    ? await createAttemptsRepository(db).findByTicket(hashTicket(visit.ticket))
    : undefined;
  if (!found) return { kind: 'unknown' };

  const arrival = { ...visit, ...found };
  const { attempt, run } = found;
  const hasProof = attempt.proofAt !== null || advertisers.bringsProof(attempt.advertiserId, visit.query);
  const outcome = !hasProof
    ? await handleReturnWithoutProof(keySystem, arrival, at)
    : isProven(keySystem, arrival, at)
      ? await completeOrKeepProof(keySystem, arrival, null, at)
      : await claimAttempt(keySystem, arrival, at);
  if (outcome.kind === 'wait') return outcome;

  return { ...outcome, appId: run.appId, visitor: findVisitor(keySystem, arrival) };
}

/** A link scanner, or a visitor who has not finished: the ticket stays usable. */
async function handleReturnWithoutProof(
  { advertisers }: KeySystem,
  { attempt, run }: LoadedReturn,
  at: number,
): Promise<ReturnOutcome> {
  const isUsable = isClaimable(attempt, at) && isOpen(run, at) && run.step === attempt.step;
  if (!isUsable) return describeUnclaimed(attempt, run, at);

  const { step, advertiserId: advertiser } = attempt;
  const { ok } = await advertisers.getTerms(advertiser);
  return redirectTo({ page: 'step', step, advertiser, notice: ok ? 'KS_UNFINISHED' : 'KS_PROVIDER_DOWN' });
}

/**
 * Whether nothing has to be asked before a step is credited: its proof is stored, or is the address. A last step that
 * only its address proves is claimed all the same, because its key is signed before it is stored.
 */
function isProven({ advertisers }: KeySystem, { attempt, run }: LoadedReturn, at: number): boolean {
  if (!isClaimable(attempt, at) || isEarly(attempt, at) || !isOpen(run, at)) return false;

  return isConfirmed(attempt) || (advertisers.isAddressProof(attempt.advertiserId) && attempt.step < run.stepsRequired);
}

/** Whether an advertiser's confirmation is stored with the attempt. */
function isConfirmed({ proofAt, postbackAt }: AttemptRow): boolean {
  return proofAt !== null || postbackAt !== null;
}

/** Of several requests with one ticket one claims it; the others are led to where the visitor belongs. */
async function claimAttempt(keySystem: KeySystem, arrival: LoadedReturn, at: number): Promise<ReturnOutcome> {
  const { db, instance } = keySystem;
  const attempts = createAttemptsRepository(db);
  const { attempt: known, run } = arrival;
  // An attempt that was claimed before needs no write, so a busy database does not matter.
  const claimed =
    known.state === 'issued'
      ? await rollBackUncertainClaim(keySystem, known, at, attempts.claim(known.tokenHash, instance, at))
      : undefined;
  if (claimed) return checkClaimed(keySystem, { ...arrival, attempt: claimed });

  // The attempt may have been claimed and decided since it was read.
  const attempt = (await attempts.findById(known.id)) ?? known;
  // The postback was stored, but the server ended before it credited the step.
  const isCalled = attempt.state === 'awaiting_postback' && attempt.postbackAt !== null && isOpen(run, at);
  if (isCalled) return completeOrKeepProof(keySystem, { ...arrival, attempt }, null);

  return isEarly(attempt, at)
    ? handleEarlyReturn(keySystem, { ...arrival, attempt }, at)
    : describeUnclaimed(attempt, (await createRunsRepository(db).find(run.id)) ?? run, at);
}

/** Handles a return that is earlier than a person could be. It is a strike only where the address is the only proof. */
async function handleEarlyReturn(keySystem: KeySystem, arrival: LoadedReturn, at: number): Promise<ReturnOutcome> {
  const { db, advertisers, instance } = keySystem;
  const { advertiserId, tokenHash, notBefore } = arrival.attempt;
  const { proof } = await advertisers.getTerms(advertiserId);
  if (proof === 'secret_url') return rejectAttempt(keySystem, arrival, 'KS_FAST');

  const claim = () => createAttemptsRepository(db).claimEarly(tokenHash, instance, at);
  const attempt = proof === 'token' ? await rollBackUncertainClaim(keySystem, arrival.attempt, at, claim()) : undefined;
  return attempt ? checkClaimed(keySystem, { ...arrival, attempt }) : { kind: 'wait', waitMs: notBefore - at };
}

/** When the run has ended, the advertiser is not asked and no strike is added. */
async function checkClaimed(keySystem: KeySystem, arrival: LoadedReturn): Promise<ReturnOutcome> {
  const { db, advertisers, limits, retryQueue, now } = keySystem;
  const { attempt, run, query } = arrival;
  if (!isOpen(run, now())) {
    await createAttemptsRepository(db).giveUp(attempt, null);
    return redirectTo(resolveDestination(run, now()));
  }

  const verdict: ProofVerdict = isConfirmed(attempt)
    ? { verdict: 'confirmed', ref: null }
    : await advertisers.checkProof(attempt.advertiserId, query, attempt);
  const write = () => writeVerdict(keySystem, arrival, verdict);
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;

    // Until the sweeper ends the claim, no other request can check this attempt.
    const until = (attempt.returnedAt ?? now()) + limits.checkingMs;
    retryQueue.add({
      key: `verdict ${attempt.id} ${attempt.returnedAt}`,
      attemptId: attempt.id,
      write,
      until,
      reason: error,
    });
    return { kind: 'wait', waitMs: RETRY_AFTER_MS };
  }
}

/** Writes the verdict. It can be repeated: every write sees what was written before. */
async function writeVerdict(
  keySystem: KeySystem,
  arrival: LoadedReturn,
  verdict: ProofVerdict,
): Promise<ReturnOutcome> {
  const attempts = createAttemptsRepository(keySystem.db);
  const { attempt } = arrival;
  const { step, advertiserId: advertiser } = attempt;
  switch (verdict.verdict) {
    case 'awaited':
      return awaitPostback(keySystem, arrival);
    case 'refused':
      return rejectAttempt(keySystem, arrival, 'KS_PROOF');
    case 'unavailable':
      await (verdict.proofSpent ? attempts.giveUp(attempt, 'KS_PROVIDER_DOWN') : attempts.release(attempt));
      return redirectTo({ page: 'step', step, advertiser, notice: 'KS_PROVIDER_DOWN' });
    case 'confirmed':
      return completeOrKeepProof(keySystem, arrival, verdict.ref);
  }
}

/**
 * Credits the step, or holds the proof until a person could have finished.
 * @param returnedAt when the visitor came back, if no claim has noted it
 */
async function completeOrKeepProof(
  keySystem: KeySystem,
  arrival: LoadedReturn,
  providerRef: string | null,
  returnedAt?: number,
): Promise<ReturnOutcome> {
  const { db, now } = keySystem;
  const { attempt, run } = arrival;
  const at = now();
  const waitMs = attempt.notBefore - at;
  if (waitMs > 0) {
    const kept = await createAttemptsRepository(db).keepProof(attempt.id, providerRef, at);
    return kept === 'reused' ? rejectAttempt(keySystem, arrival, 'KS_REUSE') : { kind: 'wait', waitMs };
  }

  const completed = await completeStep(keySystem, { attempt, run, providerRef, returnedAt, at }).catch(
    (error: unknown) => keepProofUnsigned(keySystem, attempt, { providerRef, at, error }),
  );
  if (completed.kind === 'reused') return rejectAttempt(keySystem, arrival, 'KS_REUSE');

  const current =
    completed.kind === 'credited' ? completed.run : ((await createRunsRepository(db).find(run.id)) ?? run);
  return redirectTo(resolveDestination(current, at, attempt.advertiserId));
}

/**
 * Keeps a confirmed proof whose key could not be signed. The visitor's next request credits the step, or else the
 * sweeper.
 * @throws SignerUnavailable when the proof is kept, and any other error as it is
 */
async function keepProofUnsigned(
  { db }: KeySystem,
  attempt: AttemptRow,
  { providerRef, at, error }: { providerRef: string | null; at: number; error: unknown },
): Promise<{ kind: 'reused' }> {
  if (!(error instanceof SignerUnavailable)) throw error;
  const kept = await createAttemptsRepository(db).keepProof(attempt.id, providerRef ?? attempt.providerRef, at);
  if (kept !== 'reused') throw error;
  return { kind: 'reused' };
}

/** Only a stored postback is a proof: an attempt that is no longer being checked may have been released. */
async function awaitPostback(keySystem: KeySystem, arrival: LoadedReturn): Promise<ReturnOutcome> {
  const attempts = createAttemptsRepository(keySystem.db);
  const { id, step, advertiserId: advertiser } = arrival.attempt;
  if (await attempts.awaitPostback(id)) return redirectTo({ page: 'step', step, advertiser, wait: true });

  const attempt = await attempts.findById(id);
  const isCalled = attempt?.state === 'checking' && attempt.postbackAt !== null;
  return isCalled
    ? completeOrKeepProof(keySystem, { ...arrival, attempt }, null)
    : { kind: 'wait', waitMs: RETRY_AFTER_MS };
}

/**
 * Finds whose device and zone the next address carries: those that left with the ticket. For the browser that began the
 * run the zone is the run's current one.
 */
function findVisitor({ subjectCipher }: KeySystem, { attempt, run, ticket, by }: LoadedReturn): DeviceClaim {
  const visitor = openVisitor(ticket, attempt.id, attempt.sealedContext);
  const { visitorHmac } = attempt;
  const isTheirs = isStartedBy(run, by) || (visitorHmac !== null && visitorHmac === run.visitorHmac);

  return isTheirs && run.sealedZone !== null
    ? { ...visitor, zone: subjectCipher.openZone(run.id, run.sealedZone) }
    : visitor;
}

/**
 * Waits for a claim, and rolls back one whose commit outcome is unknown as soon as that is possible, so that the
 * visitor can come back with the same ticket.
 * @param at when it was claimed
 * @returns undefined when the attempt cannot be claimed
 * @throws DatabaseUnavailable when it is not known whether it is claimed
 */
async function rollBackUncertainClaim(
  { db, instance, retryQueue, limits }: KeySystem,
  { id }: Pick<AttemptRow, 'id'>,
  at: number,
  claim: Promise<AttemptRow | undefined>,
): Promise<AttemptRow | undefined> {
  try {
    return await claim;
  } catch (error) {
    if (error instanceof DatabaseUnavailable && !(error instanceof DatabaseQueueFull)) {
      const write = () => createAttemptsRepository(db).rollBackClaim(id, instance, at);
      retryQueue.add({ key: `claim ${id} ${at}`, attemptId: id, write, until: at + limits.checkingMs, reason: error });
    }
    throw error;
  }
}

/** Rejects an attempt, adds the strike for it, and leads to the bypass page. Once decided, an attempt stays as it is. */
export async function rejectAttempt(
  { db, now }: Pick<KeySystem, 'db' | 'now'>,
  { attempt: { id, runId, step, advertiserId }, run: { deviceId }, by }: Pick<LoadedReturn, 'attempt' | 'run' | 'by'>,
  reason: StrikeCode,
): Promise<ReturnOutcome> {
  const at = now();
  const needs = { runs: createRunsRepository, attempts: createAttemptsRepository, strikes: createStrikesRepository };
  await transact(db, needs, async (tx) => {
    const run = await tx.runs.lock(runId);
    if (!run || !(await tx.attempts.reject(id, reason, at))) return;

    const visitorHmac = by.browser?.hmac ?? null;
    const strike = { id: randomId(), deviceId, visitorHmac, ipHmac: by.networks[0], code: reason, at };
    await tx.strikes.add({ ...strike, weight: WEIGHTS[reason] });
    const about = { at, subject: deviceId };
    const detail = { run: runId, attempt: id, step, advertiser: advertiserId };
    tx.record({ ...about, kind: 'strike', code: reason, detail });

    // A stranger can spoil their own attempt in this way, but not end the run.
    if (reason === 'KS_REUSE' && isTraceOf(run, by) && (await tx.runs.cancel(runId, at)))
      tx.record({ ...about, kind: 'run', code: 'cancelled', detail: { run: runId } });
  });
  return redirectTo({ page: 'bypass', reason });
}

/** When a return is retried whose attempt another tab is checking or has just released, in milliseconds. */
export const RETRY_AFTER_MS = 3000;

/** Where a return leads: to a page, or to a wait in milliseconds. */
export type ReturnOutcome = PageResult | { kind: 'wait'; waitMs: number };

type UnclaimedAttempt = Pick<AttemptRow, 'state' | 'reason' | 'step' | 'advertiserId' | 'expiresAt'>;

/** Decides where a visitor is led whose attempt could not be claimed, and which notice the page shows. */
export function describeUnclaimed(attempt: UnclaimedAttempt, run: LocatedRun, at: number): ReturnOutcome {
  const reason = parseErrorCode(attempt.reason);
  if (attempt.state === 'rejected' && reason) return redirectTo({ page: 'bypass', reason });

  const destination = resolveDestination(run, at, attempt.advertiserId);
  if (destination.page !== 'step' || destination.notice) return redirectTo(destination);
  // Another tab is checking it, or has just released it. A ticket that was released after another one finished the step
  // is claimed with its proof only, so without it there is nothing to wait for.
  const isReleased = isClaimable(attempt, at) && run.state === 'open' && run.step === attempt.step;
  if (attempt.state === 'checking' || isReleased) return { kind: 'wait', waitMs: RETRY_AFTER_MS };
  if (attempt.state === 'awaiting_postback' && attempt.expiresAt > at)
    return redirectTo({ ...destination, wait: true });

  const notice = noticeFor(attempt, run, reason);
  return redirectTo(notice ? { ...destination, notice } : destination);
}

function noticeFor({ state, step }: UnclaimedAttempt, run: LocatedRun, reason?: ErrorCode): ErrorCode | undefined {
  // A credited step needs no notice.
  if (state === 'verified') return undefined;

  const isLeftBehind = state === 'superseded' || (state === 'issued' && step !== run.step);
  return isLeftBehind ? 'KS_STEP' : (reason ?? 'KS_EXPIRED');
}
