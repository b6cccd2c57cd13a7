import { lazyPage, type LazyPage } from '@app/platform';
import type { routes } from './routes.ts';

type PageName = (typeof routes)[keyof typeof routes]['page'];

/** The shell's own pages. Their code loads only when one of them is opened. */
export const shellPages: Readonly<Record<PageName, LazyPage>> = {
  qa: lazyPage(async () => (await import(/* webpackChunkName: "qa" */ './qa-pages.tsx')).QaPages),
};
