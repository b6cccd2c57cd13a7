import type { SiteSettings } from '@app/contracts/site-settings';

let settings: SiteSettings | undefined;

/** Sets the settings of the site. The shell calls it before the first render, and so does a test that renders a page. */
export function provideSiteSettings(provided: SiteSettings): void {
  settings = provided;
}

/** The settings of the site, as the server wrote them into the page. */
export function siteSettings(): SiteSettings {
  if (!settings) throw new Error('The site settings were not provided');

  return settings;
}
