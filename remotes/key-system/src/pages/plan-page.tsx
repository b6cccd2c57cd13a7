import type { AppId } from '@app/contracts/key-system';
import { Page } from '@app/design-system/page';
import { appLinks } from '../features/device/app-links.ts';
import { DeviceId } from '../features/device/device-id.tsx';
import { PlanReady } from '../features/plan/plan-ready.tsx';
import type { ToldPlan } from '../features/plan/use-running-plan.ts';
import { APP_NAMES } from '../features/run/run-address.ts';
import { t } from '../words.ts';
import css from './plan-page.module.css';

interface PlanPageProps {
  app: AppId;
  told: ToldPlan;
  hwid: string | undefined;
}

/** Stands in place of any page of a run, for a device with a plan. */
export function PlanPage({ app, told, hwid }: PlanPageProps) {
  return (
    <Page narrow quiet eyebrow={APP_NAMES[app]} heading={t('getkey.page')}>
      <div className={css.parts}>
        <PlanReady told={told} links={appLinks(app)} />
        <DeviceId hwid={hwid} />
      </div>
    </Page>
  );
}
