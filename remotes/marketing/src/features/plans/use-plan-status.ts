import { afterFirstPaint, useQuery, withQuery, type Device } from '@app/platform';
import type { RunningPlan } from './load-plan-status.ts';

/** What is known about the plan of a device. `unknown`: the server could not be asked. */
export type PlanStatus = { is: 'asking' | 'none' | 'unknown' } | { is: 'running'; plan: RunningPlan };

/** Asks for the plan of a device, and again whenever the visitor comes back to the page. Without a device it never asks. */
export function usePlanStatus(device: Device | undefined): PlanStatus {
  const path = device && withQuery('/api/plan-status', { hwid: device.hwid });
  const { status, data } = useQuery(
    path,
    async (signal) => {
      // No first screen needs the schema that validates the answer.
      await afterFirstPaint();
      const { loadPlanStatus } = await import(/* webpackChunkName: "statuses" */ './load-plan-status.ts');
      return loadPlanStatus(path ?? '', signal);
    },
    { onReturn: true },
  );

  if (status !== 'ready') return { is: status === 'loading' ? 'asking' : 'unknown' };
  return data ? { is: 'running', plan: data } : { is: 'none' };
}
