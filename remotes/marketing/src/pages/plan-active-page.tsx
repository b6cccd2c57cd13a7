import { PLANS } from '@app/contracts/plans';
import { buttonClass, ButtonRow } from '@app/design-system/button';
import { Page } from '@app/design-system/page';
import { siteSettings, useLocation } from '@app/platform';
import { t } from '../words.ts';

/** What a buyer sees after a plan was paid, one address per plan. The page itself grants nothing. */
export function PlanActivePage() {
  const { pathname } = useLocation();
  const plan = PLANS.find(({ id }) => pathname === `/success-${id}`) ?? PLANS[0];

  return (
    <Page heading={t('active.heading', { plan: plan.name })} lead={t('active.lead', { days: plan.days })} narrow>
      <ButtonRow>
        <a className={buttonClass()} href={siteSettings().launchUrl}>
          {t('action.launch')}
        </a>
      </ButtonRow>
    </Page>
  );
}
