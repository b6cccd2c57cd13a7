import type { Routes } from '@app/contracts/pages';

const page = { page: 'qa', title: '', description: 'For the team.', picture: 'v5', canonical: null } as const;

/** The shell's own pages, for developers and QA. No page of the site links to them. */
export const routes = {
  '/qa': { ...page, shareTitle: 'Quality' },
  '/qa/design': { ...page, shareTitle: 'Design system' },
  '/qa/releases': { ...page, shareTitle: 'Releases' },
} as const satisfies Routes;
