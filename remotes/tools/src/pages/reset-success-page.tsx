import { buttonClass, ButtonRow } from '@app/design-system/button';
import { Page } from '@app/design-system/page';
import { Link } from '@app/platform';
import { SuccessSign } from '../features/reset/success-sign.tsx';
import { t } from '../words.ts';

export function ResetSuccessPage() {
  return (
    <Page heading={t('reset.heading')} lead={t('reset.lead')} narrow>
      <SuccessSign />
      <ButtonRow>
        <Link className={buttonClass()} to="/v5#downloads">
          {t('reset.download')}
        </Link>
        <Link className={buttonClass({ kind: 'quiet' })} to="/index">
          {t('reset.home')}
        </Link>
      </ButtonRow>
    </Page>
  );
}
