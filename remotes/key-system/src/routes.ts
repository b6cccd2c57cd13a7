import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { MAX_STEPS, STEPS_PER_SERIES, type AppId } from '@app/contracts/key-system';
import { PAGES, runPagePath, type Routes, type RunPage } from '@app/contracts/pages';

/** The pages of a run are for one visitor, so search engines do not list them. */
const RUN = {
  title: '',
  shareTitle: `Free key for ${PRODUCT.label}`,
  description: 'Complete the steps, get a key for your device. It works for 24 hours.',
  picture: 'key-system',
  canonical: null,
  firstCall: '/api/keysystem/state?hwid={hwid}&app=main&zone={zone?}',
} as const;

const COMPANION_RUN = {
  ...RUN,
  title: COMPANION.label,
  shareTitle: `Free key for ${COMPANION.label}`,
  picture: 'companion-key',
  firstCall: '/api/keysystem/state?hwid={hwid}&app=companion&zone={zone?}',
} as const;

/** All registered apps have the same pages; the query names the app. */
const REGISTERED_RUN = {
  ...RUN,
  shareTitle: 'Free key for an app',
  firstCall: '/api/keysystem/state?hwid={hwid}&app={app}&zone={zone?}',
} as const;

function runPages<Line extends object>(app: AppId, steps: number, line: Line) {
  const pageOf = (page: RunPage) => (page === 'getkey' || page === 'bypass' ? (`${page}-page` as const) : 'step-page');
  const pages: RunPage[] = [...Array.from({ length: steps }, (_, index) => index + 1), 'getkey', 'bypass'];
  return Object.fromEntries(pages.map((page) => [runPagePath(app, page), { page: pageOf(page), ...line }]));
}

/** The build writes them into release.json; the server makes titles, tags and the sitemap of it. */
export const routes = {
  ...runPages('main', 2 * STEPS_PER_SERIES, RUN),
  ...runPages('companion', STEPS_PER_SERIES, COMPANION_RUN),
  ...runPages('registered', MAX_STEPS, REGISTERED_RUN),
  [PAGES.gate]: { page: 'gate-page', ...RUN },
  [PAGES.checkKey]: {
    page: 'check-key-page',
    title: '',
    shareTitle: 'Check a key',
    description: 'Does your key work? Your browser checks it as the app does.',
    picture: 'key-system',
    canonical: PAGES.checkKey,
  },
} satisfies Routes;
