import { siteSettingsSchema, type SiteSettings } from '@app/contracts/site-settings';
import * as v from 'valibot';

/**
 * Reads the site settings that the server wrote into the document.
 * @throws ValiError or SyntaxError when they are missing or malformed
 */
export function readSettings(): SiteSettings {
  return v.parse(siteSettingsSchema, JSON.parse(document.getElementById('settings')?.textContent ?? 'null'));
}
