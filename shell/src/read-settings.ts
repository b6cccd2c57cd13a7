import type { SiteSettings } from '@app/contracts/site-settings';

/**
 * Reads the site settings that the server wrote into the document, by the same contract.
 * @throws SyntaxError when they are missing
 */
export function readSettings(): SiteSettings {
  return JSON.parse(document.getElementById('settings')?.textContent ?? '') as SiteSettings;
}
