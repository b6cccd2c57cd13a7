import { afterFirstPaint, ApiError, usePolling, useQuery, withQuery, type Device } from '@app/platform';
import type { RunningPlan } from './load-plan-status.ts';

/** How often the server is asked again while it cannot be reached. */
const POLL_INTERVAL_MS = 15_000;

/** What is known about the plan of a device. `unknown`: the server could not be asked · `refused`: it is no device. */
export type PlanStatus = { is: 'asking' | 'none' | 'unknown' | 'refused' } | { is: 'running'; plan: RunningPlan };

/**
 * Asks for the plan of a device, again whenever the visitor comes back to the page, and again while the server cannot be
 * reached. Without a device it never asks.
 */
export function usePlanStatus(device: Device | undefined): PlanStatus {
  const path = device && withQuery('/api/plan-status', { hwid: device.hwid });
  const { status, data, error, refetch } = useQuery(
    path,
    async (signal) => {
      // No first screen needs the schema that validates the answer.
      await afterFirstPaint();
      const { loadPlanStatus } = await import(/* webpackChunkName: "statuses" */ './load-plan-status.ts');
      return loadPlanStatus(path ?? '', signal);
    },
    { onReturn: true },
  );

  const isRefused = error instanceof ApiError && error.code === 'KS_HWID';
  usePolling(refetch, status === 'failed' && !isRefused ? POLL_INTERVAL_MS : undefined);

  if (isRefused) return { is: 'refused' };
  if (status !== 'ready') return { is: status === 'loading' ? 'asking' : 'unknown' };
  return data ? { is: 'running', plan: data } : { is: 'none' };
}
