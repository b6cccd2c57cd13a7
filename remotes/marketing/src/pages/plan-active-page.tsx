import { PLANS } from '@app/contracts/plans';
import { ButtonRow } from '@app/design-system/button';
import { LaunchLink } from '@app/design-system/launch';
import { Page } from '@app/design-system/page';
import { siteSettings, useLocation } from '@app/platform';
import { EDITIONS } from '../features/plans/buy-plan.ts';
import { t } from '../words.ts';

/** What a buyer sees after a plan was paid, one address per plan. The page itself grants nothing. */
export function PlanActivePage() {
  const { pathname } = useLocation();
  const plan = PLANS.find(({ id }) => pathname === `/success-${id}`) ?? PLANS[0];

  return (
    <Page heading={t('active.heading', { plan: plan.name })} lead={t('active.lead', { days: plan.days })} narrow>
      <ButtonRow>
        <LaunchLink href={siteSettings().launchUrl} getFrom={EDITIONS}>
          {t('action.launch')}
        </LaunchLink>
      </ButtonRow>
    </Page>
  );
}
