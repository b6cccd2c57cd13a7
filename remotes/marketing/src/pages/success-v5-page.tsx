import { ResultPage } from '@app/design-system/result-page';
import { CardSign, DeviceSign, StateSign } from '@app/design-system/state-sign';
import { BothDownloads } from '../features/downloads/both-downloads.tsx';
import { NextSteps } from '../features/payment/next-steps.tsx';
import { t } from '../words.ts';

export function SuccessV5Page() {
  return (
    <ResultPage
      art={<StateSign is="done" from={<CardSign />} to={<DeviceSign />} />}
      heading={t('success.heading')}
      lead={t('success.lead')}
      next={<NextSteps steps={[t('success.next.1'), t('success.next.2'), t('success.next.3')]} />}
      actions={<BothDownloads />}
    />
  );
}
