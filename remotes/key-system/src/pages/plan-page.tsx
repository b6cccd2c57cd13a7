import type { AppId } from '@app/contracts/key-system';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { appLinks } from '../features/device/app-links.ts';
import { DeviceId } from '../features/device/device-facts.tsx';
import { PlanReady } from '../features/plan/plan-ready.tsx';
import type { DevicePlan } from '../features/plan/running-plan.ts';
import { AppPage } from '../features/run/layouts.tsx';
import { t } from '../words.ts';
import css from './plan-page.module.css';

interface PlanPageProps {
  app: AppId;
  about: AppFacts | undefined;
  plan: DevicePlan;
  hwid: string | undefined;
}

/** Stands in place of any page of a run, for a device with a plan. */
export function PlanPage({ app, about, plan, hwid }: PlanPageProps) {
  return (
    <AppPage app={app} about={about} narrow quiet heading={t('getkey.page')}>
      <div className={css.parts}>
        <PlanReady plan={plan} links={appLinks(app, about)} />
        <DeviceId hwid={hwid} />
      </div>
    </AppPage>
  );
}
