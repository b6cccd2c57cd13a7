import type { Routes } from '@app/contracts/pages';

/** The shell's own pages, for developers. No page of the site links to them. */
export const routes = {
  '/qa/design': {
    page: 'design-page',
    title: '',
    shareTitle: 'Design system',
    description: 'The parts that pages are made of.',
    picture: 'v5',
    canonical: null,
  },
} as const satisfies Routes;
