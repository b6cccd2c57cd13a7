import type { Page } from '@playwright/test';

/** The hash of no bytes. */
const NOTHING = 'OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb';

/**
 * Whether a message is about what was on its way when a page was left: of a file Firefox says that it has the hash of no
 * bytes, and a call fails there before the page has gone.
 */
export function isOfLeftPage(page: Page, text: string): boolean {
  if (page.context().browser()?.browserType().name() !== 'firefox') return false;
  return text.includes(NOTHING) || text.startsWith('Failed to fetch purchase');
}
