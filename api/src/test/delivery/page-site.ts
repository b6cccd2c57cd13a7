import { pagesRoutes } from '#api/delivery/pages/pages.routes.ts';
import { selectReleases } from '#api/delivery/serving/release-selection.ts';
import { releasesRoutes } from '#api/delivery/serving/releases.routes.ts';
import { buildRelease, buildRoute, buildSnapshot } from './build-release.ts';
import { SITE_SETTINGS } from './site-settings.ts';

export const BASE_URL = () => 'https://site.example';

/** The releases of a small site. */
export const SNAPSHOT = buildSnapshot([
  buildRelease('shell'),
  buildRelease('marketing', { routes: [buildRoute('/plans')] }),
  buildRelease('companion'),
  buildRelease('key-system', { routes: [buildRoute('/key-system-1'), buildRoute('/rosaverx/key-system-1')] }),
  buildRelease('tools'),
]);

/** Serves its pages; their files are not there. */
export const PAGE_SITE = [
  releasesRoutes('/nowhere', { find: () => Promise.resolve(undefined), snapshot: () => buildSnapshot([]) }),
  pagesRoutes({ select: () => selectReleases(SNAPSHOT), settings: SITE_SETTINGS, baseUrl: BASE_URL }),
];
