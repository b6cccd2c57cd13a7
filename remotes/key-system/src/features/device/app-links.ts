import { PAGES } from '@app/contracts/pages';
import type { AppId } from '@app/contracts/key-system';
import { keepDevice, siteSettings } from '@app/platform';

/** Where an app is opened, and where one gets it. */
export function appLinks(app: AppId): { href: string; getFrom: string } {
  return {
    href: siteSettings().launchUrl,
    getFrom: keepDevice(app === 'companion' ? PAGES.companion : `${PAGES.neo}#downloads`),
  };
}
