import { COMPANION, PRODUCT } from '@app/contracts/brand';
import type { AdvertiserId, AppId, OperatingSystem } from '@app/contracts/key-system';

/** What the apps call themselves on their key pages. */
export const APP_NAMES: Record<AppId, string> = { main: PRODUCT.label, companion: COMPANION.label };

const ENDPOINTS: Record<AppId, string> = { main: '/api/keysystemv2', companion: '/api/saverobux/keysystem' };

/** Which app's run an address belongs to. */
export function appOf(pathname: string): AppId {
  return pathname.startsWith(`/${COMPANION.slug}/`) ? 'companion' : 'main';
}

/** The step that an address names, if it names one. */
export function stepOf(pathname: string): number | undefined {
  const digits = /\/key-system-(\d)\/?$/.exec(pathname)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The address of one of an app's key pages.
 * @param page a step's number, `getkey` or `bypass`
 * @param search the query to carry along
 */
export function runPagePath(app: AppId, page: number | 'getkey' | 'bypass', search: URLSearchParams): string {
  const base = app === 'companion' ? `/${COMPANION.slug}` : '';
  const query = search.toString();
  return `${base}/key-system-${page}${query && `?${query}`}`;
}

interface StepLink {
  app: AppId;
  step: number;
  hwid: string;
  zone: string;
  os: OperatingSystem;
  advertiser: AdvertiserId;
}

/** Where a Complete button leads: our own endpoint, which mints a ticket and sends the visitor to the advertiser. */
export function stepLink({ app, step, hwid, zone, os, advertiser }: StepLink): string {
  const query = new URLSearchParams({ hwid, advertiser, os, zone, step: String(step) });
  return `${ENDPOINTS[app]}?${query}`;
}
