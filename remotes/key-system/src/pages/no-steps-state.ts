import type { AppId } from '@app/contracts/key-system';
import type { AppFacts, RunState } from '@app/contracts/key-system-schemas';
import { createContext } from 'react';
import type { DevicePlan } from '../features/plan/running-plan.ts';
import type { RunReading } from '../features/run/run-state.ts';

export interface NoStepsState {
  app: AppId;
  about?: AppFacts | undefined;
  plan?: DevicePlan | undefined;
  reading: RunReading;
  hwid?: string | undefined;
  /** Called when a block ends. */
  onEnd?: () => void;
}

/** What the page reads that stands in place of the steps. */
export const NoStepsContext = createContext<NoStepsState | undefined>(undefined);

/** Whether the device has no steps to do: it has a plan, it is blocked, or the link of its app is wrong. */
export function hasNoSteps({ plan, reading }: Pick<NoStepsState, 'plan' | 'reading'>): boolean {
  return plan !== undefined || reading.failure?.linkProblem !== undefined || blockIn(reading) !== undefined;
}

export function blockIn({ state }: RunReading): RunState['cooldown'] | undefined {
  return state?.cooldown?.reason === 'KS_BLOCKED' ? state.cooldown : undefined;
}
