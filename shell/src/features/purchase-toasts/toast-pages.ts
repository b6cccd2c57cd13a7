import { PAGES } from '@app/contracts/pages';
import { isKeyPage } from '../../key-pages.ts';

const LANDING_PAGES = new Set(['/', PAGES.home, PAGES.v5, PAGES.neo, PAGES.v3, PAGES.companion]);

/** Purchases pass by on landing pages and on key pages, the gate included, nowhere else. */
export function showsPurchases(pathname: string): boolean {
  return LANDING_PAGES.has(pathname) || isKeyPage(pathname);
}
