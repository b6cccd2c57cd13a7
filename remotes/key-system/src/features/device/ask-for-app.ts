import { confirm } from '@app/design-system/ask';
import { siteSettings } from '@app/platform';
import { t } from '../../words.ts';

/** Asks a visitor whose device is unknown to begin in the app, and opens it on OK. */
export async function askForApp(): Promise<void> {
  const isAgreed = await confirm({ title: t('device.askTitle'), text: t('device.ask') });
  if (isAgreed) window.location.assign(siteSettings().launchUrl);
}
