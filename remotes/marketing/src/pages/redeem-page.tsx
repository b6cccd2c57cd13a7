import { PAGES } from '@app/contracts/pages';
import { Page } from '@app/design-system/page';
import texts from '@app/design-system/text.module.css';
import { Link } from '@app/platform';
import { PhoneSteps } from '../art/phone-steps.tsx';
import { RedeemForm } from '../features/redeem/redeem-form.tsx';
import { t } from '../features/redeem/words.ts';
import css from './redeem-page.module.css';

const loadCodeRedeemed = () => import(/* webpackChunkName: "code-redeemed" */ './code-redeemed.tsx');

/** The page where a reseller's code becomes a plan. */
export function RedeemPage() {
  return (
    <Page
      narrow
      heading={t('redeem.heading')}
      lead={t('redeem.lead')}
      aside={
        <>
          <h2 className={css.heading}>{t('redeem.find')}</h2>
          <PhoneSteps
            steps={[
              { phone: 'key', text: t('redeem.find.tap') },
              { phone: 'id', text: t('redeem.find.copy') },
            ]}
          />
        </>
      }
    >
      <RedeemForm loadView={loadCodeRedeemed} />
      <p className={css.more}>
        {t('redeem.noCode')}{' '}
        <Link className={texts.link} to={PAGES.resellers}>
          {t('redeem.resellers')}
        </Link>
      </p>
    </Page>
  );
}
