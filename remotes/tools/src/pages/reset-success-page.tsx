import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { NextSteps } from '@app/design-system/next-steps';
import { ResultPage } from '@app/design-system/result-page';
import { DeviceSign, StatusIcon } from '@app/design-system/state-sign';
import { Link } from '@app/platform';
import { t } from '../words.ts';

export function ResetSuccessPage() {
  return (
    <ResultPage
      art={<StatusIcon is="done" from={<DeviceSign />} to={<DeviceSign />} />}
      heading={t('reset.heading')}
      lead={t('reset.lead')}
      next={<NextSteps steps={[t('reset.next.1'), t('reset.next.2'), t('reset.next.3')]} />}
      actions={
        <>
          <Link className={buttonClass()} to={`${PAGES.v5}#downloads`}>
            {t('reset.download')}
          </Link>
          <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.home}>
            {t('reset.home')}
          </Link>
        </>
      }
    />
  );
}
