import { COMPANION, PRODUCT } from './brand.ts';
import type { AppId } from './key-system.ts';

/** The name of a picture in `api/pictures/share`, 1200 × 630 pixels, for shared links. */
export type SharePicture =
  'v5' | 'neo' | 'v3' | 'plans' | 'resellers' | 'companion' | 'key-system' | 'companion-key' | 'tools';

/** One line of a unit's `routes.ts`: all that the server and the build need to know about a page. */
export interface RouteEntry {
  page: string;
  /** The label in the document's title; empty for none. The specification's label goes before it (`titleOf`). */
  title: string;
  /** The title of a shared link. In a chat it tells pages apart that have the same document title. */
  shareTitle: string;
  /** The sentence that search engines and previews of shared links show. */
  description: string;
  picture: SharePicture;
  /** The path for the sitemap and search engines; null when they should not list the page. */
  canonical: string | null;
  /** The app that the page offers, for structured data. */
  app?: { name: string; operatingSystem: string };
  /**
   * What the page asks the server first, letter for letter, so that the browser can ask before the page's code is there.
   * `{hwid}` stands for that part of the page's address; without it nothing is asked. `{zone?}` is left out when missing.
   */
  firstCall?: string;
}

export type Routes = Readonly<Record<string, RouteEntry>>;

/** The chunk name of each path. A remote gives this table to the shell. */
export function pageNames(routes: Routes): Record<string, string> {
  return Object.fromEntries(Object.entries(routes).map(([path, { page }]) => [path, page]));
}

/** The fragment of the home page's address for who asked for a page that there is not. */
export const NOT_FOUND_HASH = '#not-found';

export const PAGES = {
  home: '/index',
  v5: '/v5',
  neo: '/neo',
  v3: `/${PRODUCT.slug}v3`,
  companion: `/${COMPANION.slug}`,
  plans: '/plans',
  redeem: '/redeem',
  resellers: '/resellers',
  privacyPolicy: '/privacy-policy',
  gate: '/gate',
  checkKey: '/check-key',
  encrypter: '/encrypter',
  developers: '/developers',
  errors: '/errors',
  stats: '/stats',
  status: '/status',
  paymentFailed: '/payment-failed',
  successV5: '/successV5',
  errorV5: '/errorV5',
  resetDevices: '/reset-devices',
  resetSuccess: '/resetsuccessV5',
  claimPlan: '/claim-plan',
} as const;

/** A page of a run: the page of a step by its number, of the key, or of refused returns (`bypass`). */
export type RunPage = number | 'getkey' | 'bypass';

/** The pages of all apps that are not in the specification are at the same addresses; their query names the app. */
const REGISTERED_APPS = '/apps';

/** The path of a page of an app's run. For a registered app it needs `appQuery`, too. */
export function runPagePath(app: AppId, page: RunPage): string {
  const folder = app === 'main' ? '' : app === 'companion' ? PAGES.companion : REGISTERED_APPS;
  return `${folder}/key-system-${page}`;
}

/** What the query of a registered app's page has to name. */
export function appQuery(app: AppId): { app?: AppId } {
  // Written out, so that no page loads `key-system.ts` for it.
  return app === 'main' || app === 'companion' ? {} : { app };
}

/**
 * The attribute of a link that works before the code of its page is there. Its value is the link's address, in which
 * parameters without a value, and `{app}`, stand for what the page's own address names. The document's script fills it.
 */
export const EARLY_LINK = 'data-early';
