import type { RunState } from '@app/contracts/key-system-schemas';

/** The page of a run that a visitor has earned. */
export type EarnedPage = number | 'getkey';

/**
 * The page that a visitor has earned. An open run leads to its step. Without one, a working key for this zone leads to
 * the end, until it may be renewed. Everything else leads to step 1.
 */
export function earnedPage({ run, key }: RunState): EarnedPage {
  if (run) return run.step;
  return key?.active && !key.renewable && key.zone === 'same' ? 'getkey' : 1;
}

/** The state as the page of a new run has it, which is begun beside the one that is open for another zone. */
export function besideOpenRun(state: RunState): RunState {
  return state.run?.zone === 'other' ? { ...state, run: null } : state;
}
