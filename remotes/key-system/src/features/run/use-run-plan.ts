import { useRunningPlan, type ToldPlan } from '../plan/use-running-plan.ts';
import type { RunReading } from './use-run-state.ts';

/**
 * The plan of the device whose run was read; undefined when none runs. A block counts more than a plan, so a blocked
 * device has none.
 * @param askAgain reads the state again; called when the plan has ended
 */
export function useRunPlan(reading: RunReading, askAgain: () => void): ToldPlan | undefined {
  return useRunningPlan(planIn(reading), askAgain);
}

function planIn(reading: RunReading): ToldPlan | undefined {
  if (reading.status !== 'ready') return undefined;

  const { state, serverOffsetMs } = reading;
  const isBlocked = state.cooldown?.reason === 'KS_BLOCKED';
  return state.plan && !isBlocked ? { plan: state.plan, serverOffsetMs } : undefined;
}
