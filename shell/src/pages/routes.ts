import type { Routes } from '@app/contracts/pages';

/** The shell's own pages, for those who build the site. No player is led to them. */
export const routes = {
  '/qa/design': {
    page: 'design-page',
    title: '',
    description: 'The parts that pages are made of.',
    picture: 'v5',
    canonical: null,
  },
} as const satisfies Routes;
