import { COMPANION } from '@app/contracts/brand';
import type { Routes } from '@app/contracts/pages';

/** A run is for one visitor, so nobody lists its pages. */
const RUN = {
  title: '',
  description: 'Complete the steps, get a key for your device. It works for 24 hours.',
  picture: 'key-system',
  canonical: null,
} as const;

const COMPANION_RUN = { ...RUN, title: COMPANION.label } as const;

/** All that the site says of each page. The build writes it into release.json, the server makes routes, titles, tags and sitemap of it. */
export const routes = {
  '/key-system-1': { page: 'step-page', ...RUN },
  '/key-system-2': { page: 'step-page', ...RUN },
  '/key-system-3': { page: 'step-page', ...RUN },
  '/key-system-4': { page: 'step-page', ...RUN },
  '/key-system-5': { page: 'step-page', ...RUN },
  '/key-system-6': { page: 'step-page', ...RUN },
  '/key-system-getkey': { page: 'getkey-page', ...RUN },
  '/key-system-bypass': { page: 'bypass-page', ...RUN },
  [`/${COMPANION.slug}/key-system-1`]: { page: 'step-page', ...COMPANION_RUN },
  [`/${COMPANION.slug}/key-system-2`]: { page: 'step-page', ...COMPANION_RUN },
  [`/${COMPANION.slug}/key-system-3`]: { page: 'step-page', ...COMPANION_RUN },
  [`/${COMPANION.slug}/key-system-getkey`]: { page: 'getkey-page', ...COMPANION_RUN },
  [`/${COMPANION.slug}/key-system-bypass`]: { page: 'bypass-page', ...COMPANION_RUN },
  '/gate': { page: 'gate-page', ...RUN },
  '/check-key': {
    page: 'check-key-page',
    title: '',
    description: 'Whether a key works, found out in your browser as the app does it.',
    picture: 'key-system',
    canonical: '/check-key',
  },
} satisfies Routes;
