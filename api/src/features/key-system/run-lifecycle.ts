import type { AttemptRow, AttemptState, RunRow, RunState } from '#api/db/schema.ts';

/** Which use case makes a move; each is the file of that name in this folder. */
export type Actor =
  | 'open-run'
  | 'continue-run'
  | 'issue-attempt'
  | 'return-visit'
  | 'complete-step'
  | 'reject-attempt'
  | 'expire-run'
  | 'block-devices';

interface Move<State> {
  from: readonly State[];
  to: State;
  by: readonly Actor[];
}

/**
 * Every move of a run. It begins as `open`, and each other state is its end.
 * A statement that changes a state takes its `where state in …` from here.
 */
export const RUN_MOVES = {
  /** The last step is credited. */
  complete: { from: ['open'], to: 'completed', by: ['complete-step'] },
  /** Its time is over. */
  expire: { from: ['open'], to: 'expired', by: ['open-run', 'expire-run'] },
  /** Its own visitor brought a proof that had counted before. */
  cancel: { from: ['open'], to: 'cancelled', by: ['reject-attempt'] },
  /** An operator keeps the device out. */
  block: { from: ['open'], to: 'blocked', by: ['block-devices'] },
} as const satisfies Record<string, Move<RunState>>;

/** Every move of an attempt. It begins as `issued`; `verified`, `rejected`, `superseded` and `expired` are ends. */
export const ATTEMPT_MOVES = {
  /** Its bearer is back, and the proof is being checked. */
  claim: { from: ['issued'], to: 'checking', by: ['return-visit'] },
  /** The proof is good, and waits with the attempt until the attempt's time has come. */
  keepProof: { from: ['checking'], to: 'issued', by: ['return-visit'] },
  /** Nobody answered the check; the ticket can be used again. */
  release: { from: ['checking'], to: 'issued', by: ['return-visit', 'expire-run'] },
  /** Nobody answered the check, and the proof may be used up; or the run is over. */
  giveUp: { from: ['checking'], to: 'expired', by: ['return-visit', 'expire-run'] },
  /** The visitor is back before the advertiser's own call. */
  awaitPostback: { from: ['checking'], to: 'awaiting_postback', by: ['return-visit'] },
  /** The step is credited. */
  verify: { from: ['issued', 'checking', 'awaiting_postback'], to: 'verified', by: ['complete-step'] },
  /** The proof is good and comes too late for its step. It is spent all the same. */
  spend: { from: ['issued', 'checking', 'awaiting_postback'], to: 'superseded', by: ['complete-step'] },
  /** Another attempt takes its place, or has finished the step. One that is being checked goes on. */
  supersede: { from: ['issued', 'awaiting_postback'], to: 'superseded', by: ['issue-attempt', 'complete-step'] },
  /** The advertiser says no. */
  reject: { from: ['checking'], to: 'rejected', by: ['reject-attempt'] },
  /** Its bearer was back too early; such an attempt was never claimed. */
  rejectEarly: { from: ['issued'], to: 'rejected', by: ['reject-attempt'] },
  /** The link never reached the visitor. */
  withdraw: { from: ['issued'], to: 'expired', by: ['continue-run'] },
  /** Its time is over. */
  expire: { from: ['issued', 'awaiting_postback'], to: 'expired', by: ['expire-run'] },
} as const satisfies Record<string, Move<AttemptState>>;

export type RunMove = keyof typeof RUN_MOVES;
export type AttemptMove = keyof typeof ATTEMPT_MOVES;

/** Attempts that an advertiser may still confirm. */
export const CONFIRMABLE = ATTEMPT_MOVES.verify.from;

/** Attempts that a visitor may still come back with, or that wait for their postback. */
export const LIVE = ATTEMPT_MOVES.supersede.from;

/** Who may take something from one state to another; nobody, where that is no move. */
export function actorsOf<State>(moves: Record<string, Move<State>>, from: State, to: State): ReadonlySet<Actor> {
  const fitting = Object.values(moves).filter((move) => move.from.includes(from) && move.to === to);
  return new Set(fitting.flatMap(({ by }) => by));
}

/** Whether a run goes on. */
export function isOpen({ state, expiresAt }: Pick<RunRow, 'state' | 'expiresAt'>, at: number): boolean {
  return state === 'open' && expiresAt > at;
}

/** Whether a visitor may still come back with an attempt that nobody has claimed, or waits for its postback. */
export function isLive({ state, expiresAt }: Pick<AttemptRow, 'state' | 'expiresAt'>, at: number): boolean {
  return LIVE.some((live) => live === state) && expiresAt > at;
}

/** Whether a ticket can be claimed, now or when its time has come. */
export function isClaimable({ state, expiresAt }: Pick<AttemptRow, 'state' | 'expiresAt'>, at: number): boolean {
  return state === 'issued' && expiresAt > at;
}

/** Whether somebody is back before a person could have finished. */
export function isEarly({ state, notBefore }: Pick<AttemptRow, 'state' | 'notBefore'>, at: number): boolean {
  return state === 'issued' && notBefore > at;
}
