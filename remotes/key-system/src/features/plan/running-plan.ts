import type { ActivePlan } from '@app/contracts/active-plan';
import { PLANS } from '@app/contracts/plans';
import { useEffect, useEffectEvent, useState } from 'react';
import { formatEnd } from '../../date.ts';
import { t } from '../../words.ts';

/** Browsers end a longer timer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface DevicePlan {
  plan: ActivePlan;
  /** The server's clock minus this device's, in milliseconds. */
  serverOffsetMs: number;
}

/** Keeps a plan until it ends by the server's clock. Then the server is asked again. */
export function useRunningPlan(known: DevicePlan | undefined, askAgain: () => void): DevicePlan | undefined {
  const [ended, setEnded] = useState<number>();
  const until = known?.plan.until;
  const serverOffsetMs = known?.serverOffsetMs ?? 0;
  const isRunning = until !== undefined && until !== ended;

  const end = useEffectEvent(() => {
    setEnded(until);
    askAgain();
  });

  useEffect(() => {
    if (!isRunning) return;

    let timer: ReturnType<typeof setTimeout>;
    function wait() {
      const left = until! - (Date.now() + serverOffsetMs);
      if (left <= 0) return end();

      timer = setTimeout(wait, Math.min(left, MAX_TIMER_MS));
    }
    timer = setTimeout(wait, 0);
    return () => clearTimeout(timer);
  }, [isRunning, until, serverOffsetMs]);

  return isRunning ? known : undefined;
}

export function nameOfPlan(plan: Pick<ActivePlan, 'id'>): string {
  return PLANS.find(({ id }) => id === plan.id)?.name ?? plan.id;
}

export function daysOfPlan(plan: Pick<ActivePlan, 'id'>): number {
  return PLANS.find(({ id }) => id === plan.id)?.days ?? 1;
}

export function describePlan(known: DevicePlan): string {
  return t('plan.runs', { plan: nameOfPlan(known.plan), end: formatEnd(known.plan.until, known.serverOffsetMs) });
}
