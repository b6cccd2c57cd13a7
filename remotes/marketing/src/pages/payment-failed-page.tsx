import { buttonClass } from '@app/design-system/button';
import { ResultPage } from '@app/design-system/result-page';
import { CardSign, DaysSign, StateSign } from '@app/design-system/state-sign';
import { Link } from '@app/platform';
import { ChargedNote } from '../features/payment/charged-note.tsx';
import { useDeviceQuery } from '../use-device-query.ts';
import { t } from '../words.ts';

/** The query goes along, since the plans page needs to know the device. */
export function PaymentFailedPage() {
  const device = useDeviceQuery();

  return (
    <ResultPage
      art={<StateSign is="failed" from={<CardSign />} to={<DaysSign />} />}
      heading={t('failed.heading')}
      lead={t('failed.lead')}
      actions={
        <Link className={buttonClass()} to={`/plans${device}`}>
          {t('failed.retry')}
        </Link>
      }
    >
      <ChargedNote />
    </ResultPage>
  );
}
