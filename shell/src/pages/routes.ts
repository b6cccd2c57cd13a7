/** The shell's own pages, for those who build the site. No player is led to them. */
export const routes = {
  '/qa/design': 'design-page',
} as const;
