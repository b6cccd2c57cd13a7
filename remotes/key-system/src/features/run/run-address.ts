import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { PAGES, runPagePath } from '@app/contracts/pages';
import { withQuery } from '@app/platform';
import { type AdvertiserId, type AppId, type OperatingSystem, STEPS_PER_SERIES } from '@app/contracts/key-system';

/** The names of the apps on their key pages. */
export const APP_NAMES: Record<AppId, string> = { main: PRODUCT.label, companion: COMPANION.label };

/** The app whose run a path belongs to. */
export function appOf(pathname: string): AppId {
  return pathname.startsWith(`${PAGES.companion}/`) ? 'companion' : 'main';
}

/** The number of the step in a path. Undefined when the path is not the page of a step. */
export function stepOf(pathname: string): number | undefined {
  const digits = /\/key-system-(\d)\/?$/.exec(pathname)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The page where a run begins: for the main app without a zone the gate, otherwise step 1. The companion has no gate.
 */
export function beginPath(app: AppId, zone: string | undefined): string {
  return app === 'main' && !zone ? PAGES.gate : runPagePath(app, 1);
}

interface StepLink {
  app: AppId;
  step: number;
  hwid: string;
  /** Undefined for a run without a zone. */
  zone: string | undefined;
  os: OperatingSystem;
  /** The system that the page's own address names, if it names one. */
  namedOs: OperatingSystem | undefined;
  advertiser: AdvertiserId;
  /** The visitor's decision when the open run has another zone: `keep` goes on with it, `new` begins a new run. */
  run?: 'keep' | 'new' | undefined;
}

/**
 * The address of a step's Complete button: our endpoint that creates a ticket and redirects to the advertiser. The
 * companion has only one advertiser, so its link names none. It names the system only when the page's address does.
 */
export function stepLink({ app, step, hwid, zone, os, namedOs, advertiser, run }: StepLink): string {
  if (app === 'main') return withQuery('/api/keysystemv2', { hwid, advertiser, os, zone, run, step });

  return withQuery('/api/saverobux/keysystem', { hwid, zone, run, os: namedOs, step: step > 1 ? step : undefined });
}

/** How many steps a run takes, until the server has answered. */
export const USUAL_STEPS: Record<AppId, number> = { main: 2 * STEPS_PER_SERIES, companion: STEPS_PER_SERIES };
