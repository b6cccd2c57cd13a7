import { Page } from '@app/design-system/page';
import { useLocation } from '@app/platform';
import type { ComponentType } from 'react';
import { QaBoard } from '../features/qa/qa-board.tsx';
import { ReleasesBoard } from '../features/qa/releases-board.tsx';
import { t } from '../features/qa/words.ts';
import { DesignPage } from './design-page.tsx';
import type { routes } from './routes.ts';

const PAGES: Readonly<Record<keyof typeof routes, ComponentType>> = {
  '/qa': QaPage,
  '/qa/design': DesignPage,
  '/qa/releases': ReleasesPage,
};

/** The pages for developers and QA. They share one file: each file of code has a line in what every visitor loads. */
export function QaPages() {
  const { pathname } = useLocation();
  const Shown = Object.entries(PAGES).find(([path]) => path === pathname)?.[1];
  return Shown && <Shown />;
}

/** What QA sees and chooses for this browser. */
function QaPage() {
  return (
    <Page compact eyebrow={t('eyebrow')} heading={t('title')} lead={t('lead')}>
      <QaBoard />
    </Page>
  );
}

/** Every unit with its channels and releases. */
function ReleasesPage() {
  return (
    <Page compact eyebrow={t('eyebrow')} heading={t('releases.title')} lead={t('releases.lead')}>
      <ReleasesBoard />
    </Page>
  );
}
