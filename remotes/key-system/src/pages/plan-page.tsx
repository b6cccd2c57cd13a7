import type { AppId } from '@app/contracts/key-system';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { appLinks } from '../features/device/app-links.ts';
import { DeviceId } from '../features/device/device.tsx';
import { PlanReady } from '../features/plan/plan-ready.tsx';
import type { DevicePlan } from '../features/plan/running-plan.ts';
import { KeyPage } from '../features/run/layouts.tsx';

interface PlanPageProps {
  app: AppId;
  about: AppFacts | undefined;
  plan: DevicePlan;
  hwid: string | undefined;
}

/** Stands in place of any page of a run, for a device with a plan. */
export function PlanPage({ app, about, plan, hwid }: PlanPageProps) {
  return (
    <KeyPage app={app} about={about}>
      <PlanReady plan={plan} links={appLinks(app, about)} />
      <DeviceId hwid={hwid} />
    </KeyPage>
  );
}
