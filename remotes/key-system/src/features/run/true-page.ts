import type { RunState } from '@app/contracts/key-system-schemas';

/** The page of a run that a visitor has earned. */
export type RunPage = number | 'getkey';

/** Reads the server's state as a page: an open run stands at its step, without one a working key is the end, until it may be renewed. */
export function truePage({ run, key }: RunState): RunPage {
  if (run) return run.step;
  return key?.active && !key.renewable ? 'getkey' : 1;
}
