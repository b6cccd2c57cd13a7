import { ResultPage } from '@app/design-system/result-page';
import { CardSign, DeviceSign, StatusIcon } from '@app/design-system/state-sign';
import { BothDownloads } from '../features/downloads/both-downloads.tsx';
import { lastRedeemed } from '../features/redeem/last-redeemed.ts';
import { NextSteps } from '@app/design-system/next-steps';
import { t } from '../words.ts';

/** The page after V5 was paid. After a code was redeemed in this document, it says what that gave. */
export function SuccessV5Page() {
  if (lastRedeemed.page) return lastRedeemed.page;

  return (
    <ResultPage
      art={<StatusIcon is="done" from={<CardSign />} to={<DeviceSign />} />}
      heading={t('success.heading')}
      lead={t('success.lead')}
      next={<NextSteps steps={[t('success.next.1'), t('success.next.2'), t('success.next.3')]} />}
      actions={<BothDownloads />}
    />
  );
}
