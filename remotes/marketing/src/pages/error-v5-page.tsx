import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { ResultPage } from '@app/design-system/result-page';
import { CardSign, DeviceSign, StatusIcon } from '@app/design-system/state-sign';
import { Link } from '@app/platform';
import { TicketNote } from '../features/payment/ticket-note.tsx';
import { t } from '../words.ts';

export function ErrorV5Page() {
  return (
    <ResultPage
      art={<StatusIcon is="failed" from={<CardSign />} to={<DeviceSign />} />}
      heading={t('error.heading')}
      lead={t('error.lead')}
      actions={
        <Link className={buttonClass()} to={PAGES.resellers}>
          {t('error.retry')}
        </Link>
      }
      note={<TicketNote />}
    />
  );
}
