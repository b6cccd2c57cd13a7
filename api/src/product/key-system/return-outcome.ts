import { parseErrorCode, type ErrorCode } from '@app/contracts/errors';
import type { AttemptRow, RunRow } from '#api/foundation/db/schema.ts';
import { leadTo, resolveDestination, type PageResult } from './destinations.ts';
import { isClaimable } from './run-lifecycle.ts';

/**
 * How long a return waits until it looks again at an attempt that another tab is checking, or has just released;
 * milliseconds.
 */
export const LOOK_AGAIN_MS = 3000;

/** Where a return leads: to a page, or to a wait in milliseconds. */
export type ReturnOutcome = PageResult | { kind: 'wait'; waitMs: number };

/**
 * Decides where a visitor is led whose attempt could not be claimed, and which notice the page shows.
 * @param at epoch milliseconds
 */
export function describeUnclaimed(attempt: AttemptRow, run: RunRow, at: number): ReturnOutcome {
  const reason = parseErrorCode(attempt.reason);
  if (attempt.state === 'rejected' && reason) return leadTo({ page: 'bypass', reason });

  const destination = resolveDestination(run, at, attempt.advertiserId);
  if (destination.page !== 'step' || destination.notice) return leadTo(destination);
  // Another tab is checking it, or has just released it. A ticket that was released after another one finished the step
  // is claimed with its proof only, so without it there is nothing to wait for.
  const isReleased = isClaimable(attempt, at) && run.state === 'open' && run.step === attempt.step;
  if (attempt.state === 'checking' || isReleased) return { kind: 'wait', waitMs: LOOK_AGAIN_MS };
  if (attempt.state === 'awaiting_postback' && attempt.expiresAt > at) return leadTo({ ...destination, wait: true });

  const notice = noticeFor(attempt, run, reason);
  return leadTo(notice ? { ...destination, notice } : destination);
}

function noticeFor({ state, step }: AttemptRow, run: RunRow, reason: ErrorCode | undefined): ErrorCode | undefined {
  // A credited step needs no notice.
  if (state === 'verified') return undefined;

  const isLeftBehind = state === 'superseded' || (state === 'issued' && step !== run.step);
  return isLeftBehind ? 'KS_STEP' : (reason ?? 'KS_EXPIRED');
}
