import { COMPANION, PRODUCT } from './brand.ts';
import type { AppId } from './key-system.ts';

/** A picture of `api/pictures/share`, 1200 × 630: one for each area of the product. */
export type SharePicture = 'v5' | 'neo' | 'v3' | 'plans' | 'companion' | 'key-system' | 'tools';

/** Everything that the site says of a page without its code: one line of a unit's `routes.ts`. */
export interface PageLine {
  /** The name of the page's chunk. */
  page: string;
  /** Label of the document's title; empty for the team's name alone. The words of the specification come before it, see `titleOf`. */
  title: string;
  /** A sentence for those who share the page and those who look for it. */
  description: string;
  picture: SharePicture;
  /** The path under which the sitemap and search engines know the page; null where none should list it. */
  canonical: string | null;
  /** An app that the page offers, for structured data. */
  app?: { name: string; operatingSystem: string };
}

/** Path to page. */
export type Routes = Readonly<Record<string, PageLine>>;

/** What a remote tells the shell of its pages at run time: path to the name of the chunk. */
export function pageNames(routes: Routes): Record<string, string> {
  return Object.fromEntries(Object.entries(routes).map(([path, { page }]) => [path, page]));
}

/** The address of each page that others lead to. */
export const PAGES = {
  home: '/index',
  v5: '/v5',
  neo: '/neo',
  v3: `/${PRODUCT.slug}v3`,
  companion: `/${COMPANION.slug}`,
  plans: '/plans',
  resellers: '/resellers',
  privacyPolicy: '/privacy-policy',
  gate: '/gate',
  checkKey: '/check-key',
  encrypter: '/encrypter',
  developers: '/developers',
  errors: '/errors',
  paymentFailed: '/payment-failed',
} as const;

/** A page of a run: a step's number, the key at its end, or the page of refused returns. */
export type RunPage = number | 'getkey' | 'bypass';

/** The address of a page of an app's run. */
export function runPagePath(app: AppId, page: RunPage): string {
  return `${app === 'companion' ? PAGES.companion : ''}/key-system-${page}`;
}
