import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { ResultPage } from '@app/design-system/result-page';
import { CardSign, DaysSign, StatusIcon } from '@app/design-system/state-sign';
import { Link, useSearchParams } from '@app/platform';
import { TicketNote } from '../features/payment/ticket-note.tsx';
import { t } from '../features/payment/words.ts';

/** The page after a payment of a plan that failed, or that the buyer cancelled, with a link back to the plans. */
export function PaymentFailedPage() {
  const isCancelled = useSearchParams()[0].has('cancelled');

  return (
    <ResultPage
      art={<StatusIcon is="failed" from={<CardSign />} to={<DaysSign />} />}
      heading={t('failed.heading')}
      lead={t(isCancelled ? 'failed.cancelled' : 'failed.lead')}
      actions={
        <Link className={buttonClass()} to={PAGES.plans}>
          {t('failed.retry')}
        </Link>
      }
      note={<TicketNote question={t(isCancelled ? 'order.wrong' : 'failed.charged')} />}
    />
  );
}
