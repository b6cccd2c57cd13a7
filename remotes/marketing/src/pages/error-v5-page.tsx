import { buttonClass, ButtonRow } from '@app/design-system/button';
import { Page } from '@app/design-system/page';
import { Link } from '@app/platform';
import { t } from '../words.ts';

export function ErrorV5Page() {
  return (
    <Page heading={t('error.heading')} lead={t('error.lead')} narrow>
      <ButtonRow>
        <Link className={buttonClass()} to="/resellers">
          {t('error.retry')}
        </Link>
      </ButtonRow>
    </Page>
  );
}
