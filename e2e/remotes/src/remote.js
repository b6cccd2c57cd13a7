/** The page of each path, and how its code is loaded. */
export default {
  routes: { '/news': 'start-page', '/news/archive': 'archive-page' },
  pages: {
    'start-page': async () => (await import('./start-page.jsx')).StartPage,
    'archive-page': async () => (await import('./archive-page.jsx')).ArchivePage,
  },
};
