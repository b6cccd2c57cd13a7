import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { ResultPage } from '@app/design-system/result-page';
import { CardSign, DaysSign, StatusIcon } from '@app/design-system/state-sign';
import { Link } from '@app/platform';
import { TicketNote } from '../features/payment/ticket-note.tsx';
import { t } from '../features/payment/words.ts';

/** The page after a failed payment of a plan, with a link back to the plans. */
export function PaymentFailedPage() {
  return (
    <ResultPage
      art={<StatusIcon is="failed" from={<CardSign />} to={<DaysSign />} />}
      heading={t('failed.heading')}
      lead={t('failed.lead')}
      actions={
        <Link className={buttonClass()} to={PAGES.plans}>
          {t('failed.retry')}
        </Link>
      }
      note={<TicketNote />}
    />
  );
}
