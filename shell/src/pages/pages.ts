import { lazyPage, type LazyPage } from '@app/platform';
import type { routes } from './routes.ts';

type PageName = (typeof routes)[keyof typeof routes]['page'];

/** The code of the shell's own pages, which no other visit fetches. */
export const shellPages: Readonly<Record<PageName, LazyPage>> = {
  'design-page': lazyPage(
    async () => (await import(/* webpackChunkName: "design-page" */ './design-page.tsx')).DesignPage,
  ),
};
