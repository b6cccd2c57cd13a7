import { PAGES } from '@app/contracts/pages';
import type { AppId } from '@app/contracts/key-system';
import { keepDevice, siteSettings } from '@app/platform';

/** The address that opens an app (`href`), and the page that offers its download (`getFrom`). */
export function appLinks(app: AppId): { href: string; getFrom: string } {
  return {
    href: siteSettings().launchUrl,
    getFrom: keepDevice(app === 'companion' ? PAGES.companion : `${PAGES.neo}#downloads`),
  };
}
