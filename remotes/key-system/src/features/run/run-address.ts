import { COMPANION, PRODUCT } from '@app/contracts/brand';
import type { AdvertiserId, AppId, OperatingSystem } from '@app/contracts/key-system';

/** What the apps call themselves on their key pages. */
export const APP_NAMES: Record<AppId, string> = { main: PRODUCT.label, companion: COMPANION.label };

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

/** What an address says of the device, and nothing else. */
export function deviceQuery(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => name === 'hwid' || name === 'zone'));
}

/** What the address of step 1 says to begin a run beside the one that is open for another zone. */
export function newRunQuery({ hwid, zone }: { hwid: string; zone: string }): URLSearchParams {
  return new URLSearchParams({ hwid, ...(zone && { zone }), run: 'new' });
}

interface StepLink {
  app: AppId;
  step: number;
  hwid: string;
  zone: string;
  os: OperatingSystem;
  advertiser: AdvertiserId;
  /** What the visitor wants whose zone is not the run's: to go on all the same, or a new run. */
  run?: 'keep' | 'new' | undefined;
}

/**
 * Where a Complete button leads: our own endpoint, which mints a ticket and sends the visitor to the advertiser.
 * The companion's steps have no choice of advertiser, and its first call says device and zone alone.
 */
export function stepLink({ app, step, hwid, zone, os, advertiser, run }: StepLink): string {
  const choice = run ? { run } : {};
  if (app === 'main') return `/api/keysystemv2?${new URLSearchParams({ hwid, advertiser, os, zone, step: String(step), ...choice })}`;

  return `/api/saverobux/keysystem?${new URLSearchParams({ hwid, zone, ...(step > 1 && { step: String(step) }), ...choice })}`;
}
