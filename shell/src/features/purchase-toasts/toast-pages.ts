import { PAGES } from '@app/contracts/pages';

const LANDING_PAGES = new Set(['/', PAGES.home, PAGES.v5, PAGES.neo, PAGES.v3, PAGES.companion]);

/** Purchases pass by on landing pages and on key pages, the gate included, nowhere else. */
export function showsPurchases(pathname: string): boolean {
  return LANDING_PAGES.has(pathname) || /^\/gate$|\/key-system-\w+$/.test(pathname);
}
