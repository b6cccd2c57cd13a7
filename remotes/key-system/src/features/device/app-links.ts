import { launch } from '@app/brand-ui/launch';
import { type AppId, isSpecified } from '@app/contracts/key-system';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { PAGES } from '@app/contracts/pages';
import { showConfirm } from '@app/design-system/confirm';
import { keepDevice, siteSettings } from '@app/platform';
import { t } from '../../words.ts';

export function appLinks(app: AppId, about?: AppFacts): { href: string; getFrom: string } {
  return { href: about?.scheme ?? siteSettings().launchUrl, getFrom: keepDevice(downloadPathOf(app)) };
}

/** The site offers no download of a registered app. */
function downloadPathOf(app: AppId): string {
  if (!isSpecified(app)) return PAGES.home;
  return app === 'companion' ? PAGES.companion : `${PAGES.neo}#downloads`;
}

/** Asks a visitor whose device is unknown to begin in the app. Opens the app when the answer is OK. */
export async function askForApp(app: AppId, about: AppFacts | undefined): Promise<void> {
  const isAgreed = await showConfirm({ title: t('device.askTitle'), text: t('device.ask') });
  if (isAgreed) launch(appLinks(app, about));
}
