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

/** Where a run begins: without a zone no step page begins one, but the gate does. The companion has none. */
export function beginPath(app: AppId, search: URLSearchParams): string {
  return app === 'main' && !search.get('zone') ? `/gate?${search}` : runPagePath(app, 1, search);
}

/** What an address says of the device, and nothing else. */
export function deviceQuery(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => ['hwid', 'zone', 'os'].includes(name)));
}

/** What the address of step 1 says to begin a run beside the one that is open for another zone. */
export function newRunQuery({ hwid, zone, os }: { hwid: string; zone: string; os?: OperatingSystem }): URLSearchParams {
  return new URLSearchParams({ hwid, ...(zone && { zone }), ...(os && { os }), run: 'new' });
}

interface StepLink {
  app: AppId;
  step: number;
  hwid: string;
  /** Nothing for a run that was begun without one. */
  zone: string | undefined;
  os: OperatingSystem;
  /** The system that the page's own address names, if it names one. */
  namedOs: OperatingSystem | undefined;
  advertiser: AdvertiserId;
  /** What the visitor wants whose zone is not the run's: to go on all the same, or a new run. */
  run?: 'keep' | 'new' | undefined;
}

/**
 * Where a Complete button leads: our own endpoint, which mints a ticket and sends the visitor to the advertiser.
 * The companion's steps have no choice of advertiser, and its first call says device and zone alone, with the system where the address named it.
 */
export function stepLink({ app, step, hwid, zone, os, namedOs, advertiser, run }: StepLink): string {
  const choice = { ...(zone && { zone }), ...(run && { run }) };
  if (app === 'main')
    return `/api/keysystemv2?${new URLSearchParams({ hwid, advertiser, os, ...choice, step: String(step) })}`;

  return `/api/saverobux/keysystem?${new URLSearchParams({ hwid, ...choice, ...(namedOs && { os: namedOs }), ...(step > 1 && { step: String(step) }) })}`;
}
