import { useLocation } from '@app/platform';
import type { ComponentType } from 'react';
import { DesignPage } from './design-page.tsx';
import { QaPage } from './qa-page.tsx';
import { ReleasesPage } from './releases-page.tsx';
import type { routes } from './routes.ts';

const PAGES: Readonly<Record<keyof typeof routes, ComponentType>> = {
  '/qa': QaPage,
  '/qa/design': DesignPage,
  '/qa/releases': ReleasesPage,
};

/** The pages for developers and QA. They share one file: each file of code has a line in what every visitor loads. */
export function QaPages() {
  const { pathname } = useLocation();
  const Page = Object.entries(PAGES).find(([path]) => path === pathname)?.[1];
  return Page && <Page />;
}
