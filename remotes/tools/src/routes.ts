import { PRODUCT } from '@app/contracts/brand';
import { PAGES, type Routes } from '@app/contracts/pages';

const listedRoute = { title: '', picture: 'tools' } as const;

const PORTFOLIO = {
  ...listedRoute,
  page: 'portfolio-page',
  shareTitle: `The founder of ${PRODUCT.label}`,
  description: 'Meet the person behind the apps, and hear one of six songs.',
  canonical: '/portfolio',
} as const;

/**
 * The pages of this unit. The build writes them into release.json; the server makes titles, tags and the sitemap of it.
 */
export const routes = {
  [PAGES.privacyPolicy]: {
    page: 'privacy-policy-page',
    title: 'Privacy & Policy',
    shareTitle: `Privacy & Policy of ${PRODUCT.label}`,
    description: 'What we collect, why, and for how long.',
    picture: 'tools',
    canonical: PAGES.privacyPolicy,
  },
  [PAGES.encrypter]: {
    ...listedRoute,
    page: 'encrypter-page',
    shareTitle: 'Script encrypter',
    description: 'Turns a script into text that only the app reads, in your browser.',
    canonical: PAGES.encrypter,
  },
  '/portfolio': PORTFOLIO,
  '/tiahh': PORTFOLIO,
  [PAGES.resetSuccess]: {
    page: 'reset-success-page',
    title: '',
    shareTitle: `${PRODUCT.label} V5: devices reset`,
    description: `${PRODUCT.label}: V5, NEO and V3, from the team that makes them.`,
    picture: 'v5',
    canonical: null,
  },
  [PAGES.developers]: {
    ...listedRoute,
    page: 'developers-page',
    shareTitle: 'Keys for developers',
    description: 'How an app gets a key from this site and checks it: every call, every code, and samples to copy.',
    canonical: PAGES.developers,
  },
  [PAGES.errors]: {
    ...listedRoute,
    page: 'errors-page',
    shareTitle: 'Error codes, and what to do',
    description: 'Every error code of this site: what it means, and what to do about it.',
    canonical: PAGES.errors,
  },
  [PAGES.stats]: {
    ...listedRoute,
    page: 'stats-page',
    shareTitle: 'Numbers for developers',
    description: 'How the runs of an app are doing: step by step, advertiser by advertiser, and keys a day.',
    canonical: null,
  },
  [PAGES.status]: {
    ...listedRoute,
    page: 'status-page',
    shareTitle: `Is ${PRODUCT.label} up?`,
    description: 'What works right now, and how it went in the last 90 days.',
    canonical: PAGES.status,
    firstCall: '/api/status',
  },
} satisfies Routes;
