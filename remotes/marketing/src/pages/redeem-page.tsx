import { late } from '@app/brand-ui/late';
import { PAGES } from '@app/contracts/pages';
import { Page } from '@app/design-system/page';
import { Link } from '@app/platform';
import { RedeemForm } from '../features/redeem/redeem-form.tsx';
import { t } from '../features/redeem/words.ts';
import css from './redeem-page.module.css';

const FindDevice = late(
  async () => (await import(/* webpackChunkName: "phones" */ '../features/redeem/find-device.tsx')).FindDevice,
);

const loadCodeRedeemed = () => import(/* webpackChunkName: "code-redeemed" */ './code-redeemed.tsx');

/** The page where a reseller's code becomes a plan. */
export function RedeemPage() {
  return (
    <Page
      narrow
      heading={t('redeem.heading')}
      lead={t('redeem.lead')}
      aside={
        <div className={css.find}>
          <FindDevice />
        </div>
      }
    >
      <RedeemForm loadView={loadCodeRedeemed} />
      <p className={css.more}>
        {t('redeem.noCode')}{' '}
        <Link className={css.link} to={PAGES.resellers}>
          {t('redeem.resellers')}
        </Link>
      </p>
    </Page>
  );
}
