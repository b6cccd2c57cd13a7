import type { RunState } from '@app/contracts/key-system-schemas';

/** The page of a run that a visitor has earned. */
export type EarnedPage = number | 'getkey';

/** Reads the server's state as a page: an open run stands at its step, without one a working key for this zone is the end, until it may be renewed. */
export function truePage({ run, key }: RunState): EarnedPage {
  if (run) return run.step;
  return key?.active && !key.renewable && key.zone === 'same' ? 'getkey' : 1;
}

/** The state as the page of a new run has it, which is begun beside the one that is open for another zone. */
export function besideOpenRun(state: RunState): RunState {
  return state.run?.zone === 'other' ? { ...state, run: null } : state;
}
