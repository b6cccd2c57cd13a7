import { buttonClass, ButtonRow } from '@app/design-system/button';
import { Page } from '@app/design-system/page';
import { Link } from '@app/platform';
import { useDeviceQuery } from '../use-device-query.ts';
import { t } from '../words.ts';

/** The query goes along, since the plans page needs to know the device. */
export function PaymentFailedPage() {
  const device = useDeviceQuery();

  return (
    <Page heading={t('failed.heading')} lead={t('failed.lead')} narrow>
      <ButtonRow>
        <Link className={buttonClass()} to={`/plans${device}`}>
          {t('failed.retry')}
        </Link>
      </ButtonRow>
    </Page>
  );
}
