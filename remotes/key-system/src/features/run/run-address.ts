import { COMPANION, PRODUCT } from '@app/contracts/brand';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { appQuery, PAGES, runPagePath, type RunPage } from '@app/contracts/pages';
import { useLocation, useSearchParams, withQuery } from '@app/platform';
import { DEFAULT_ADVERTISER, type AdvertiserId } from '@app/contracts/advertisers';
import { type AppId, isSpecified, type OperatingSystem, STEPS_PER_SERIES } from '@app/contracts/key-system';

const BLANK_NAME = '\u00a0';

/** No app has this id, so the server refuses it. */
export const UNKNOWN_APP_ID = '?';

export function nameOfApp(app: AppId, about: AppFacts | undefined): string {
  if (app === 'main') return PRODUCT.label;
  return app === 'companion' ? COMPANION.label : (about?.name ?? BLANK_NAME);
}

/** The app whose run an address belongs to. Registered apps are named in the query, which the first render does not know. */
export function appOf(pathname: string, query: URLSearchParams): AppId {
  if (pathname.startsWith(`${PAGES.companion}/`)) return 'companion';
  if (!/^\/apps\//.test(pathname)) return 'main';

  const named = query.get('app') || UNKNOWN_APP_ID;
  return isSpecified(named) ? UNKNOWN_APP_ID : named;
}

export function useApp(): AppId {
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  return appOf(pathname, query);
}

export function runAddress(app: AppId, page: RunPage, query: Record<string, string> = {}): string {
  return withQuery(runPagePath(app, page), { ...appQuery(app), ...query });
}

/** The number of the step in a path. Undefined when the path is not the page of a step. */
export function stepOf(pathname: string): number | undefined {
  const digits = /\/key-system-(\d)\/?$/.exec(pathname)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The page where a run begins: for the main app without a zone the gate, otherwise step 1. Other apps have no gate. */
export function beginPath(app: AppId, zone: string | undefined): string {
  return app === 'main' && !zone ? PAGES.gate : runAddress(app, 1);
}

interface StepLink {
  app: AppId;
  step: number;
  hwid: string;
  zone: string | undefined;
  os: OperatingSystem;
  /** The system that the page's own address names, if it names one. */
  namedOs: OperatingSystem | undefined;
  /** Undefined until it is known what a registered app offers. */
  advertiser: AdvertiserId | undefined;
  /** The visitor's decision when the open run has another zone: `keep` goes on with it, `new` begins a new run. */
  run?: 'keep' | 'new' | undefined;
}

/**
 * The address of a step's Complete button: our endpoint that creates a ticket and redirects to the advertiser. The
 * companion has only one advertiser, so its link names none. It names the system only when the page's address does.
 */
export function stepLink({ app, step, hwid, zone, os, namedOs, advertiser, run }: StepLink): string {
  if (app === 'main') return withQuery('/api/keysystemv2', { hwid, advertiser, os, zone, run, step });
  if (!isSpecified(app))
    return withQuery(`/api/apps/${app}/keysystem`, { hwid, advertiser, zone, run, os: namedOs, step });

  return withQuery('/api/saverobux/keysystem', { hwid, zone, run, os: namedOs, step: step > 1 ? step : undefined });
}

/** The same address as far as the first render knows it (`EARLY_LINK`). The server decides about each start. */
export function earlyStepLink(app: AppId, step: number): string {
  if (!isSpecified(app)) return `/api/apps/{app}/keysystem?hwid&advertiser&zone&os&step=${step}`;
  if (app === 'companion') return `/api/saverobux/keysystem?hwid&zone&os&step=${step}`;

  // The second series begins with the default, whatever the address names.
  const begins = step === STEPS_PER_SERIES + 1 ? `=${DEFAULT_ADVERTISER}` : '';
  return `/api/keysystemv2?hwid&advertiser${begins}&os&zone&step=${step}`;
}

/** How many steps a run takes, until the server has answered; undefined for a registered app. */
export function usualSteps(app: AppId): number | undefined {
  if (!isSpecified(app)) return undefined;
  return app === 'main' ? 2 * STEPS_PER_SERIES : STEPS_PER_SERIES;
}
