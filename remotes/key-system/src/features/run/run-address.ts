import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { PAGES, runPagePath } from '@app/contracts/pages';
import { withQuery } from '@app/platform';
import type { AdvertiserId, AppId, OperatingSystem } from '@app/contracts/key-system';

/** What the apps call themselves on their key pages. */
export const APP_NAMES: Record<AppId, string> = { main: PRODUCT.label, companion: COMPANION.label };

/** Which app's run an address belongs to. */
export function appOf(pathname: string): AppId {
  return pathname.startsWith(`${PAGES.companion}/`) ? 'companion' : 'main';
}

/** The step that an address names, if it names one. */
export function stepOf(pathname: string): number | undefined {
  const digits = /\/key-system-(\d)\/?$/.exec(pathname)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Where a run begins. Without a zone no step page begins one, but the gate does; the companion has no gate. */
export function beginPath(app: AppId, zone: string | undefined): string {
  return app === 'main' && !zone ? PAGES.gate : runPagePath(app, 1);
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
 * Where a Complete button leads: to our own endpoint, which makes a ticket and redirects to the advertiser.
 * The companion has one advertiser, so its link names none. It names the system only where the address of the page does.
 */
export function stepLink({ app, step, hwid, zone, os, namedOs, advertiser, run }: StepLink): string {
  if (app === 'main') return withQuery('/api/keysystemv2', { hwid, advertiser, os, zone, run, step });

  return withQuery('/api/saverobux/keysystem', { hwid, zone, run, os: namedOs, step: step > 1 ? step : undefined });
}
