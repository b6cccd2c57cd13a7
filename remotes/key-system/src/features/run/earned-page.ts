import type { RunState } from '@app/contracts/key-system-schemas';

/** The page of a run that a visitor has earned. */
export type EarnedPage = number | 'getkey';

/**
 * The page that a visitor has earned. An open run leads to its step. Without a run, a working key for this zone leads
 * to the page of the key, until the key is renewable. Everything else leads to step 1.
 */
export function earnedPage({ run, key }: RunState): EarnedPage {
  if (run) return run.step;
  return key?.active && !key.renewable && key.zone === 'same' ? 'getkey' : 1;
}

/**
 * The state for the page of a new run that begins beside an open run of another zone: it has no run. Any other state
 * stays as it is.
 */
export function besideOpenRun(state: RunState): RunState {
  return state.run?.zone === 'other' ? { ...state, run: null } : state;
}
