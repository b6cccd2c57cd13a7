import { PLAN_RENEWAL_MS, type ActivePlan } from '@app/contracts/active-plan';
import { planStatusSchema } from '@app/contracts/checkout';
import { callApi } from '@app/platform';

/** A plan that runs, and from when it can be renewed. All times are in epoch milliseconds by the server's clock. */
export interface RunningPlan extends ActivePlan {
  renewableFrom: number;
  /** The server's clock minus this device's, in milliseconds. */
  serverOffsetMs: number;
}

/**
 * Asks the server for the plan that a device has now.
 * @returns null when the device has none
 */
export async function loadPlanStatus(path: string, signal: AbortSignal): Promise<RunningPlan | null> {
  const { plan, now } = await callApi(planStatusSchema, path, { signal });
  return plan && { ...plan, renewableFrom: plan.until - PLAN_RENEWAL_MS, serverOffsetMs: now - Date.now() };
}
