import type { AppId, OperatingSystem } from '@app/contracts/key-system';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { createContext, useContext } from 'react';
import type { Refusal } from './refusals.ts';
import type { RunReading } from './use-run-state.ts';

/** What the page of a step knows. Its parts read it with `useStepState`. */
export interface StepState {
  app: AppId;
  /** What the server has said of a registered app. */
  about: AppFacts | undefined;
  step: number;
  /** While `isCounted` is false, more than `step`. */
  of: number;
  /** Whether it is known how many steps the run takes. */
  isCounted: boolean;
  reading: RunReading;
  /** The system that the address names, if it names one. */
  namedOs: OperatingSystem | undefined;
  /** A sentence that says when the device's last key ended; undefined while a key works or when there was none. */
  keyEnded: string | undefined;
  /** The advertiser in the address. */
  wanted: string | undefined;
  /** Whether the visitor begins a new run beside an open run of another zone. */
  isNewRun: boolean;
  /** Why the visitor was led back here. */
  refusal: Refusal | undefined;
  /** Whether the advertiser's confirmation takes longer than usual. */
  isLate: boolean;
  reload: () => void;
}

export const StepStateContext = createContext<StepState | undefined>(undefined);

export function useStepState(): StepState {
  const state = useContext(StepStateContext);
  if (!state) throw new Error('Not within the page of a step');

  return state;
}
