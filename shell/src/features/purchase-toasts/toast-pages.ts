import { COMPANION, PRODUCT } from '@app/contracts/brand';

const LANDING_PAGES = new Set(['/', '/index', '/v5', '/neo', `/${PRODUCT.slug}v3`, `/${COMPANION.slug}`]);

/** Purchases pass by on landing pages and on key pages, the gate included, nowhere else. */
export function showsPurchases(pathname: string): boolean {
  return LANDING_PAGES.has(pathname) || /^\/gate$|\/key-system-\w+$/.test(pathname);
}
