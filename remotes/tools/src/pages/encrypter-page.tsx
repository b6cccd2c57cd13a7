import { Page } from '@app/design-system/page';
import { EncryptForm } from '../features/encrypter/encrypt-form.tsx';
import { t } from '../words.ts';

export function EncrypterPage() {
  return (
    <Page heading={t('encrypter.heading')} lead={t('encrypter.lead')} compact>
      <EncryptForm />
    </Page>
  );
}
