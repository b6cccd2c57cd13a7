import { Page } from '@app/design-system/page';
import { ErrorList } from '../features/reference/error-list.tsx';
import { t } from '../features/reference/words.ts';

export function ErrorsPage() {
  return (
    <Page heading={t('errors.heading')} lead={t('errors.lead')} compact>
      <ErrorList />
    </Page>
  );
}
