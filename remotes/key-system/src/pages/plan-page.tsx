import type { AppId } from '@app/contracts/key-system';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { appLinks } from '../features/device/app-links.ts';
import { DeviceId } from '../features/device/device-id.tsx';
import { PlanReady } from '../features/plan/plan-ready.tsx';
import type { ToldPlan } from '../features/plan/use-running-plan.ts';
import { AppPage } from '../features/run/app-page.tsx';
import { t } from '../words.ts';
import css from './plan-page.module.css';

interface PlanPageProps {
  app: AppId;
  about: AppFacts | undefined;
  told: ToldPlan;
  hwid: string | undefined;
}

/** Stands in place of any page of a run, for a device with a plan. */
export function PlanPage({ app, about, told, hwid }: PlanPageProps) {
  return (
    <AppPage app={app} about={about} narrow quiet heading={t('getkey.page')}>
      <div className={css.parts}>
        <PlanReady told={told} links={appLinks(app, about)} />
        <DeviceId hwid={hwid} />
      </div>
    </AppPage>
  );
}
