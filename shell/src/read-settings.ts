import { siteSettingsSchema, type SiteSettings } from '@app/contracts/site-settings';
import * as v from 'valibot';

/** Reads what the operator configured, as the server wrote it into the page. */
export function readSettings(): SiteSettings {
  return v.parse(siteSettingsSchema, JSON.parse(document.getElementById('settings')?.textContent ?? 'null'));
}
