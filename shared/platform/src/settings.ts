import type { SiteSettings } from '@app/contracts/site-settings';

export { siteSettingsSchema, type SiteSettings } from '@app/contracts/site-settings';

let settings: SiteSettings | undefined;

/** Makes the settings known, before anything is rendered: in the browser the shell does, on a server whoever renders there. */
export function provideSiteSettings(provided: SiteSettings): void {
  settings = provided;
}

/** @throws Error when nobody has provided the settings */
export function siteSettings(): SiteSettings {
  if (!settings) throw new Error('The site settings were not provided');

  return settings;
}
