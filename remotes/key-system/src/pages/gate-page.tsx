import { Page } from '@app/design-system/page';
import { t } from '../words.ts';

export function GatePage() {
  return <Page heading={t('gate.heading')} lead={t('gate.lead')} narrow />;
}
