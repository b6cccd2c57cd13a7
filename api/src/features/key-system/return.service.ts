import { parseErrorCode, type ErrorCode } from '@app/contracts/errors';
import type { AppId } from '@app/contracts/key-system';
import type { AttemptRow, RunRow } from '#api/db/schema.ts';
import type { ProofVerdict, ReturnQuery } from '#api/features/advertisers/advertiser.ts';
import type { AdvertisersService } from '#api/features/advertisers/advertisers.service.ts';
import type { Visitor } from '#api/features/devices/visitor.ts';
import type { AttemptsRepository } from './attempts.repository.ts';
import type { CompletionService } from './completion.service.ts';
import type { RunsRepository } from './runs.repository.ts';
import { trueStop, type Stop } from './stops.ts';
import { hashTicket, isTicket, openVisitor } from './ticket.ts';

interface ReturnDeps {
  runs: RunsRepository;
  attempts: AttemptsRepository;
  advertisers: AdvertisersService;
  completion: CompletionService;
  now: () => number;
}

/** What a return leads to: a page, a short wait at the same address, or nothing that we know of. */
export type Arrival =
  | { kind: 'stop'; appId: AppId; visitor: Visitor; stop: Stop }
  | { kind: 'early'; waitMs: number }
  | { kind: 'unknown' };

export type ReturnService = ReturnType<typeof createReturnService>;

export function createReturnService({ runs, attempts, advertisers, completion, now }: ReturnDeps) {
  /** The advertiser's word on a claimed attempt. Its own call, where it makes one, may come before or after the visitor. */
  async function judge(attempt: AttemptRow, query: ReturnQuery): Promise<ProofVerdict> {
    const verdict = await advertisers.checkProof(attempt.advertiserId, query, attempt);
    if (verdict.verdict !== 'awaited') return verdict;

    const isWaiting = attempt.postbackAt === null && (await attempts.awaitPostback(attempt.id));
    return isWaiting ? verdict : { verdict: 'confirmed', ref: null };
  }

  /** What a claimed ticket leads to. On a run that is over nobody is asked, and nobody is blamed. */
  async function settle(attempt: AttemptRow, run: RunRow, query: ReturnQuery): Promise<Stop> {
    if (run.state !== 'open' || run.expiresAt <= now()) {
      await attempts.expire(attempt.id);
      return trueStop(run, now());
    }

    const verdict = await judge(attempt, query);
    const at = now();
    const here = { page: 'step', step: attempt.step, advertiser: attempt.advertiserId } as const;

    switch (verdict.verdict) {
      case 'awaited':
        return { ...here, wait: true };
      case 'refused':
        await attempts.reject(attempt.id, 'KS_PROOF');
        return { page: 'bypass', reason: 'KS_PROOF' };
      case 'unavailable':
        await attempts.release(attempt.id, verdict.proofSpent);
        return { ...here, notice: 'KS_PROVIDER_DOWN' };
      case 'confirmed': {
        const outcome = await completion.finish(attempt, run, verdict.ref, at);
        if (outcome === 'reused') return { page: 'bypass', reason: 'KS_REUSE' };
        return trueStop((await runs.find(run.id)) ?? run, at, attempt.advertiserId);
      }
    }
  }

  return {
    /** Takes a visitor back from an advertiser. Nothing but a claimed ticket and the advertiser's word gives credit. */
    async arrive(ticket: string, query: ReturnQuery): Promise<Arrival> {
      const at = now();
      const tokenHash = isTicket(ticket) ? hashTicket(ticket) : undefined;
      if (tokenHash === undefined) return { kind: 'unknown' };

      const claimed = await attempts.claim(tokenHash, at);
      const attempt = claimed ?? (await attempts.find(tokenHash));
      const run = attempt && (await runs.find(attempt.runId));
      if (!attempt || !run) return { kind: 'unknown' };

      if (!claimed && isEarly(attempt, at)) {
        const { proof } = await advertisers.getTerms(attempt.advertiserId);
        if (proof !== 'secret_url') return { kind: 'early', waitMs: attempt.notBefore - at };
        await attempts.rejectEarly(tokenHash, at);
      }

      const stop = claimed
        ? await settle(claimed, run, query)
        : whyNotClaimed((await attempts.find(tokenHash)) ?? attempt, run, at);
      return { kind: 'stop', appId: run.appId, visitor: openVisitor(ticket, attempt.id, attempt.sealedContext), stop };
    },
  };
}

function isEarly({ state, notBefore }: AttemptRow, at: number): boolean {
  return state === 'issued' && notBefore > at;
}

/** The claim has already refused; this only finds where the visitor belongs and the words for it. */
function whyNotClaimed(attempt: AttemptRow, run: RunRow, at: number): Stop {
  const reason = parseErrorCode(attempt.reason);
  if (attempt.state === 'rejected' && reason) return { page: 'bypass', reason };

  const stop = trueStop(run, at, attempt.advertiserId);
  if (stop.page !== 'step' || stop.notice) return stop;
  if (attempt.state === 'awaiting_postback' && attempt.expiresAt > at) return { ...stop, wait: true };

  const notice = noticeFor(attempt, reason);
  return notice ? { ...stop, notice } : stop;
}

function noticeFor({ state }: AttemptRow, reason: ErrorCode | undefined): ErrorCode | undefined {
  // Credited, or being checked for the same visitor's other tab: there is nothing to explain.
  if (state === 'verified' || state === 'checking') return undefined;

  return state === 'superseded' ? 'KS_STEP' : (reason ?? 'KS_EXPIRED');
}
