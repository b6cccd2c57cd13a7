import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { MOST_STEPS } from '@app/contracts/key-system';
import { PAGES, runPagePath, type Routes } from '@app/contracts/pages';

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

const REGISTERED = 'registered';

/**
 * The pages of this unit. The build writes them into release.json; the server makes titles, tags and the sitemap of it.
 */
export const routes = {
  [runPagePath('main', 1)]: { page: 'step-page', ...RUN },
  [runPagePath('main', 2)]: { page: 'step-page', ...RUN },
  [runPagePath('main', 3)]: { page: 'step-page', ...RUN },
  [runPagePath('main', 4)]: { page: 'step-page', ...RUN },
  [runPagePath('main', 5)]: { page: 'step-page', ...RUN },
  [runPagePath('main', 6)]: { page: 'step-page', ...RUN },
  [runPagePath('main', 'getkey')]: { page: 'getkey-page', ...RUN },
  [runPagePath('main', 'bypass')]: { page: 'bypass-page', ...RUN },
  [runPagePath('companion', 1)]: { page: 'step-page', ...COMPANION_RUN },
  [runPagePath('companion', 2)]: { page: 'step-page', ...COMPANION_RUN },
  [runPagePath('companion', 3)]: { page: 'step-page', ...COMPANION_RUN },
  [runPagePath('companion', 'getkey')]: { page: 'getkey-page', ...COMPANION_RUN },
  [runPagePath('companion', 'bypass')]: { page: 'bypass-page', ...COMPANION_RUN },
  ...Object.fromEntries(
    Array.from({ length: MOST_STEPS }, (_, index) => [
      runPagePath(REGISTERED, index + 1),
      { page: 'step-page' as const, ...REGISTERED_RUN },
    ]),
  ),
  [runPagePath(REGISTERED, 'getkey')]: { page: 'getkey-page', ...REGISTERED_RUN },
  [runPagePath(REGISTERED, 'bypass')]: { page: 'bypass-page', ...REGISTERED_RUN },
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
