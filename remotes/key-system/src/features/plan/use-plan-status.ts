import { planStatusSchema } from '@app/contracts/checkout';
import { callApi, useQuery, withQuery } from '@app/platform';
import { useRunningPlan, type DevicePlan } from './running-plan.ts';

/** Asks for the plan of a device, for a page that does not read the state of a run. */
export function usePlanStatus(hwid: string | undefined): DevicePlan | undefined {
  const path = withQuery('/api/plan-status', { hwid });
  const { data, refetch } = useQuery(hwid && path, (signal) => readPlan(path, signal), { onReturn: true });
  return useRunningPlan(data, refetch);
}

async function readPlan(path: string, signal: AbortSignal): Promise<DevicePlan | undefined> {
  const { plan, now } = await callApi(planStatusSchema, path, { signal });
  return plan ? { plan, serverOffsetMs: now - Date.now() } : undefined;
}
