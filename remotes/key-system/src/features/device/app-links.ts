import { PAGES } from '@app/contracts/pages';
import { type AppId, isSpecified } from '@app/contracts/key-system';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { keepDevice, siteSettings } from '@app/platform';

/** The address that opens an app (`href`), and the page that offers its download (`getFrom`). */
export function appLinks(app: AppId, about?: AppFacts): { href: string; getFrom: string } {
  return { href: about?.scheme ?? siteSettings().launchUrl, getFrom: keepDevice(downloadOf(app)) };
}

/** The site offers no download of a registered app. */
function downloadOf(app: AppId): string {
  if (!isSpecified(app)) return PAGES.home;
  return app === 'companion' ? PAGES.companion : `${PAGES.neo}#downloads`;
}
