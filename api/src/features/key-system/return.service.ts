import { parseErrorCode, type ErrorCode } from '@app/contracts/errors';
import type { AppId } from '@app/contracts/key-system';
import { DatabaseUnavailable } from '#api/db/database-unavailable.ts';
import { isUniqueViolation } from '#api/db/is-unique-violation.ts';
import type { AttemptRow, RunRow } from '#api/db/schema.ts';
import type { ProofVerdict, ReturnQuery } from '#api/features/advertisers/advertiser.ts';
import type { AdvertisersService } from '#api/features/advertisers/advertisers.service.ts';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import type { DeviceClaim as Visitor } from '#api/features/devices/device-claim.ts';
import type { AttemptsRepository } from './attempts.repository.ts';
import type { CompletionService } from './completion.service.ts';
import type { Limits } from './limits.ts';
import type { RunsRepository } from './runs.repository.ts';
import type { StrikeCode } from './eligibility.ts';
import { resolveDestination, type Destination } from './destinations.ts';
import type { KeySubjectCipher } from './key-subject-cipher.ts';
import { hashTicket, isTicket, openVisitor } from './ticket.ts';
import type { WriteLater } from './write-later.ts';
import { isBegunBy } from './zone-matching.ts';

/** How long a return waits before it looks again at an attempt that another tab has, or has just given back. */
const LOOK_AGAIN_MS = 3000;

interface ReturnDeps {
  runs: RunsRepository;
  attempts: AttemptsRepository;
  advertisers: AdvertisersService;
  completion: CompletionService;
  subjectCipher: KeySubjectCipher;
  writeLater: WriteLater;
  limits: Pick<Limits, 'checkingMs'>;
  now: () => number;
}

/** What somebody came back with. */
export interface Return {
  ticket: string;
  query: ReturnQuery;
  by: ClientIdentity;
}

/** What a return leads to: a page, a short wait at the same address, or nothing that we know of. */
export type ReturnResult =
  | { kind: 'stop'; appId: AppId; visitor: Visitor; stop: Destination }
  | { kind: 'wait'; waitMs: number }
  | { kind: 'unknown' };

type Outcome = Destination | { waitMs: number };

export type ReturnService = ReturnType<typeof createReturnService>;

export function createReturnService({
  runs,
  attempts,
  advertisers,
  completion,
  subjectCipher,
  writeLater,
  limits,
  now,
}: ReturnDeps) {
  /** The word on a claimed attempt: what is noted with it already, or else what the advertiser says. */
  async function judge(attempt: AttemptRow, query: ReturnQuery): Promise<ProofVerdict> {
    if (attempt.proofAt !== null || attempt.postbackAt !== null) return { verdict: 'confirmed', ref: null };

    return advertisers.checkProof(attempt.advertiserId, query, attempt);
  }

  /** Waits for the advertiser's own call. Only the note of that call is a proof: the attempt may also have been given back meanwhile. */
  async function awaitCall({ id, step, advertiserId }: AttemptRow, run: RunRow, by: ClientIdentity): Promise<Outcome> {
    if (await attempts.awaitPostback(id)) return { page: 'step', step, advertiser: advertiserId, wait: true };

    const attempt = await attempts.findById(id);
    const isCalled = attempt?.state === 'checking' && attempt.postbackAt !== null;
    return isCalled ? credit(attempt, run, null, by) : { waitMs: LOOK_AGAIN_MS };
  }

  async function refuse(
    attempt: AttemptRow,
    { deviceId }: RunRow,
    by: ClientIdentity,
    reason: StrikeCode,
  ): Promise<Destination> {
    await attempts.reject(attempt, { reason, deviceId, by, at: now() });
    return { page: 'bypass', reason };
  }

  async function hold({ id }: AttemptRow, ref: string | null, at: number): Promise<'held' | 'reused'> {
    try {
      await attempts.hold(id, ref, at);
      return 'held';
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      return 'reused';
    }
  }

  /** Credits the step, or keeps the proof when the step could not be done yet by a person. */
  async function credit(attempt: AttemptRow, run: RunRow, ref: string | null, by: ClientIdentity): Promise<Outcome> {
    const at = now();
    const waitMs = attempt.notBefore - at;
    const outcome = waitMs > 0 ? await hold(attempt, ref, at) : await completion.finish(attempt, run, ref, at);

    if (outcome === 'reused') return refuse(attempt, run, by, 'KS_REUSE');
    if (outcome === 'held') return { waitMs };
    return resolveDestination(outcome ?? (await runs.find(run.id)) ?? run, at, attempt.advertiserId);
  }

  /** What a claimed ticket leads to. On a run that is over nobody is asked, and nobody is blamed. */
  async function settle(attempt: AttemptRow, run: RunRow, { query, by }: Return): Promise<Outcome> {
    if (run.state !== 'open' || run.expiresAt <= now()) {
      await attempts.expire(attempt.id);
      return resolveDestination(run, now());
    }

    const verdict = await judge(attempt, query);
    const write = () => conclude(attempt, run, verdict, by);
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;

      // The claim keeps everybody else off until the sweeper ends it.
      void writeLater(write, (attempt.returnedAt ?? now()) + limits.checkingMs, error);
      return { waitMs: LOOK_AGAIN_MS };
    }
  }

  /** Writes down what the advertiser's word means. It may be done again: every write finds out what was written already. */
  async function conclude(
    attempt: AttemptRow,
    run: RunRow,
    verdict: ProofVerdict,
    by: ClientIdentity,
  ): Promise<Outcome> {
    switch (verdict.verdict) {
      case 'awaited':
        return awaitCall(attempt, run, by);
      case 'refused':
        return refuse(attempt, run, by, 'KS_PROOF');
      case 'unavailable':
        await attempts.release(attempt.id, verdict.proofSpent);
        return { page: 'step', step: attempt.step, advertiser: attempt.advertiserId, notice: 'KS_PROVIDER_DOWN' };
      case 'confirmed':
        return credit(attempt, run, verdict.ref, by);
    }
  }

  /** Somebody is back before a person could have finished: only an advertiser that proves nothing makes that a fault. */
  async function comeEarly(attempt: AttemptRow, run: RunRow, arrival: Return, at: number): Promise<Outcome> {
    const { proof } = await advertisers.getTerms(attempt.advertiserId);
    if (proof === 'secret_url') return refuse(attempt, run, arrival.by, 'KS_FAST');

    const claimed = proof === 'token' ? await attempts.claimEarly(attempt.tokenHash, at) : undefined;
    return claimed ? settle(claimed, run, arrival) : { waitMs: attempt.notBefore - at };
  }

  /** Back without the token that the advertiser gives: a link scanner, or somebody who is not through. The ticket stays as it is. */
  async function comeBare(attempt: AttemptRow, run: RunRow, at: number): Promise<Outcome> {
    const stop = resolveDestination(run, at, attempt.advertiserId);
    const isUsable = isLive(attempt, run, at) && stop.page === 'step' && stop.step === attempt.step && !stop.notice;
    if (!isUsable) return whyNotClaimed(attempt, run, at);

    const { ok } = await advertisers.getTerms(attempt.advertiserId);
    return {
      page: 'step',
      step: attempt.step,
      advertiser: attempt.advertiserId,
      notice: ok ? 'KS_UNFINISHED' : 'KS_PROVIDER_DOWN',
    };
  }

  async function comeBack(known: AttemptRow, run: RunRow, arrival: Return, at: number): Promise<Outcome> {
    // One that is taken already is only looked at, which a busy database allows.
    const claimed = known.state === 'issued' ? await attempts.claim(known.tokenHash, at) : undefined;
    if (claimed) return settle(claimed, run, arrival);

    // It may have been claimed and settled since it was looked up.
    const attempt = (await attempts.findById(known.id)) ?? known;
    return isEarly(attempt, at)
      ? comeEarly(attempt, run, arrival, at)
      : whyNotClaimed(attempt, (await runs.find(run.id)) ?? run, at);
  }

  /** Who left with the ticket. Where it is the browser that began the run, with the zone that the run has by now. */
  function visitorOf({ id, sealedContext, visitorHmac }: AttemptRow, run: RunRow, { ticket, by }: Return): Visitor {
    const visitor = openVisitor(ticket, id, sealedContext);
    const isTheirs = isBegunBy(run, by) || (visitorHmac !== null && visitorHmac === run.visitorHmac);

    return isTheirs && run.sealedZone !== null
      ? { ...visitor, zone: subjectCipher.openZone(run.id, run.sealedZone) }
      : visitor;
  }

  return {
    /** Takes a visitor back from an advertiser. Nothing but a claimed ticket and the advertiser's word gives credit. */
    async arrive(arrival: Return): Promise<ReturnResult> {
      const at = now();
      const { ticket } = arrival;
      const tokenHash = isTicket(ticket) ? hashTicket(ticket) : undefined;
      if (tokenHash === undefined) return { kind: 'unknown' };

      const known = await attempts.find(tokenHash);
      const run = known && (await runs.find(known.runId));
      if (!known || !run) return { kind: 'unknown' };

      const isBare = known.proofAt === null && !advertisers.bringsProof(known.advertiserId, arrival.query);
      const outcome = isBare ? await comeBare(known, run, at) : await comeBack(known, run, arrival, at);
      if ('waitMs' in outcome) return { kind: 'wait', waitMs: outcome.waitMs };

      return { kind: 'stop', appId: run.appId, visitor: visitorOf(known, run, arrival), stop: outcome };
    },
  };
}

/** Whether a ticket can still be claimed. */
function isLive({ state, expiresAt }: AttemptRow, run: RunRow, at: number): boolean {
  return state === 'issued' && expiresAt > at && run.state === 'open';
}

function isEarly({ state, notBefore }: AttemptRow, at: number): boolean {
  return state === 'issued' && notBefore > at;
}

/** The claim has already refused; this only finds where the visitor belongs and the words for it. */
function whyNotClaimed(attempt: AttemptRow, run: RunRow, at: number): Outcome {
  const reason = parseErrorCode(attempt.reason);
  if (attempt.state === 'rejected' && reason) return { page: 'bypass', reason };

  const stop = resolveDestination(run, at, attempt.advertiserId);
  if (stop.page !== 'step' || stop.notice) return stop;
  // Another tab has it, or has just given it back.
  if (attempt.state === 'checking' || isLive(attempt, run, at)) return { waitMs: LOOK_AGAIN_MS };
  if (attempt.state === 'awaiting_postback' && attempt.expiresAt > at) return { ...stop, wait: true };

  const notice = noticeFor(attempt, reason);
  return notice ? { ...stop, notice } : stop;
}

function noticeFor({ state }: AttemptRow, reason: ErrorCode | undefined): ErrorCode | undefined {
  // Credited already: there is nothing to explain.
  if (state === 'verified') return undefined;

  return state === 'superseded' ? 'KS_STEP' : (reason ?? 'KS_EXPIRED');
}
