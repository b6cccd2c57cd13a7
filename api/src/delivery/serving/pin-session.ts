import type { Fault } from '@app/contracts/faults';
import type { Unit } from '@app/contracts/release';

/** What somebody with QA access has chosen for their browser. */
export interface PinSession {
  /** A version, `canary` or `stable`, by unit. */
  pins: Readonly<Record<Unit, string>>;
  /** The faults that are simulated, by unit. */
  faults: Readonly<Record<Unit, Fault>>;
  /** When it ends, in epoch milliseconds. */
  until: number;
}
