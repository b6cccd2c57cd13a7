import { PAGES } from '@app/contracts/pages';
import { isKeyPage } from '../../key-pages.ts';

const LANDING_PAGES = new Set(['/', PAGES.home, PAGES.v5, PAGES.neo, PAGES.v3, PAGES.companion]);

/** Whether a page shows purchases. Only landing pages and key pages do; the gate is a key page. */
export function showsPurchases(pathname: string): boolean {
  return LANDING_PAGES.has(pathname) || isKeyPage(pathname);
}
