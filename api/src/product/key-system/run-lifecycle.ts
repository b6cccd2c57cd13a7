import type { AttemptRow, AttemptState, RunRow, RunState } from '#api/foundation/db/schema.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { Limits } from '#api/product/limits/limits.ts';

interface Transition<State> {
  from: readonly State[];
  to: State;
}

/**
 * Every move of a run. A run begins as `open`; every other state is an end. A statement that changes a state takes its
 * `where state in …` from here.
 */
export const RUN_TRANSITIONS = {
  /** The last step is credited. */
  complete: { from: ['open'], to: 'completed' },
  /** Its time is over. */
  expire: { from: ['open'], to: 'expired' },
  /** The visitor who began it brought a proof that had counted before. */
  cancel: { from: ['open'], to: 'cancelled' },
  /** An operator blocked the device. */
  block: { from: ['open'], to: 'blocked' },
} as const satisfies Record<string, Transition<RunState>>;

/**
 * Every move of an attempt. An attempt begins as `issued`; `verified`, `rejected`, `superseded` and `expired` are ends.
 */
export const ATTEMPT_TRANSITIONS = {
  /** The visitor is back, and the proof is being checked. */
  claim: { from: ['issued'], to: 'checking' },
  /** The proof is good, and is held until it may count. */
  keepProof: { from: ['checking'], to: 'issued' },
  /** The advertiser did not answer; the ticket can be used again. */
  release: { from: ['checking'], to: 'issued' },
  /** The advertiser did not answer, and the proof may be used up; or the run has ended. */
  giveUp: { from: ['checking'], to: 'expired' },
  /** The visitor is back, but the postback has not come. */
  awaitPostback: { from: ['checking'], to: 'awaiting_postback' },
  /** The step is credited. */
  verify: { from: ['issued', 'checking', 'awaiting_postback'], to: 'verified' },
  /** The proof is good but too late for its step. It is used up all the same. */
  spend: { from: ['issued', 'checking', 'awaiting_postback'], to: 'superseded' },
  /** Another attempt takes its place, or has finished the step. An attempt that is being checked goes on. */
  supersede: { from: ['issued', 'awaiting_postback'], to: 'superseded' },
  /** The advertiser refuses the proof. */
  reject: { from: ['checking'], to: 'rejected' },
  /** The visitor was back too early; such an attempt was never claimed. */
  rejectEarly: { from: ['issued'], to: 'rejected' },
  /** The advertiser gave no link, so the visitor never left. */
  withdraw: { from: ['issued'], to: 'expired' },
  /** Its time is over. */
  expire: { from: ['issued', 'awaiting_postback'], to: 'expired' },
} as const satisfies Record<string, Transition<AttemptState>>;

export type RunTransition = keyof typeof RUN_TRANSITIONS;
export type AttemptTransition = keyof typeof ATTEMPT_TRANSITIONS;

/** Attempts that an advertiser may still confirm. */
export const CONFIRMABLE_STATES = ATTEMPT_TRANSITIONS.verify.from;

/** The states of attempts that a visitor may still come back with, or that wait for their postback. */
export const LIVE_STATES = ATTEMPT_TRANSITIONS.supersede.from;

/** Whether a run is open and has not expired. */
export function isOpen({ state, expiresAt }: Pick<RunRow, 'state' | 'expiresAt'>, at: number): boolean {
  return state === 'open' && expiresAt > at;
}

/** Whether an attempt can still be finished: it is unclaimed, or waits for its postback. */
export function isLive({ state, expiresAt }: Pick<AttemptRow, 'state' | 'expiresAt'>, at: number): boolean {
  return LIVE_STATES.some((live) => live === state) && expiresAt > at;
}

/** Whether a ticket can be claimed, now or after its `notBefore`. */
export function isClaimable({ state, expiresAt }: Pick<AttemptRow, 'state' | 'expiresAt'>, at: number): boolean {
  return state === 'issued' && expiresAt > at;
}

/** Whether it is earlier than a person could have finished. */
export function isEarly({ state, notBefore }: Pick<AttemptRow, 'state' | 'notBefore'>, at: number): boolean {
  return state === 'issued' && notBefore > at;
}

/** When a run ends on which something has just happened. */
export function runExpiry(
  { runIdleMs, runMaxMs }: Pick<Limits, 'runIdleMs' | 'runMaxMs'>,
  createdAt: number,
  at: number,
): number {
  return Math.min(at + runIdleMs, createdAt + runMaxMs);
}

/** Whether a client's browser began the run; only its cookie shows that. */
export function isStartedBy(
  { visitorHmac }: Pick<RunRow, 'visitorHmac'>,
  { browser }: Pick<ClientIdentity, 'browser'>,
): boolean {
  return visitorHmac === browser?.hmac;
}
