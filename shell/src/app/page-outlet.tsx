import { PAGES } from '@app/contracts/pages';
import { type LazyPage, Link, ShowLazyPage, useLocation } from '@app/platform';
import { Suspense, use, useEffect, useState } from 'react';
import { t } from '../words.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { PageFocus } from './page-focus.tsx';
import css from './page-outlet.module.css';
import { ScrollRestoration } from './scroll-restoration.tsx';

const LATE_PAGE_TIMEOUT_MS = 3000;

interface PageOutletProps {
  page: LazyPage;
  /** Is told what the page threw while it rendered, and returns whether another release can take its place. */
  onCrash?: (error: Error) => boolean;
}

/**
 * Shows a page, its loading state, or its error. An error of the page does not reach the frame around it. Each path has
 * a page of its own: while one waits for its code, with the server's HTML in its place, the visitor can go to another.
 * While the next page loads, the one before stays, but not for longer than three seconds.
 */
export function PageOutlet({ page, onCrash }: PageOutletProps) {
  const { pathname } = useLocation();
  const [firstPath] = useState(pathname);
  const isFirst = pathname === firstPath;

  return (
    <ErrorBoundary pathname={pathname} onRetry={page.retry} onCrash={onCrash}>
      <Suspense fallback={<PagePlaceholder />}>
        {!isFirst && <SuspendUntilLoaded page={page} />}
        <Suspense key={pathname} fallback={<PageLoading afterMs={isFirst ? LATE_PAGE_TIMEOUT_MS : 0} />}>
          <ShowLazyPage page={page} />
          <ScrollRestoration />
          <PageFocus />
        </Suspense>
      </Suspense>
    </ErrorBoundary>
  );
}

/** Holds back what is beside it until the page has loaded, for three seconds at most. */
function SuspendUntilLoaded({ page }: { page: LazyPage }) {
  const wait = waitForPage(page);
  if (wait) use(wait);
  return null;
}

/** The waits by what they wait for: every render of a page that has waited has to use the same promise. */
const waitByLoad = new WeakMap<Promise<unknown>, Promise<unknown>>();

/** What ends when the page has loaded or is late; undefined when it was there from the start. */
function waitForPage(page: LazyPage): Promise<unknown> | undefined {
  const loading = page.preload();
  let wait = waitByLoad.get(loading);
  if (!wait && !page.loaded()) {
    wait = Promise.race([loading, new Promise((resolve) => setTimeout(resolve, LATE_PAGE_TIMEOUT_MS))]);
    waitByLoad.set(loading, wait);
  }
  return wait;
}

function PagePlaceholder() {
  return <div className={css.placeholder} />;
}

/** Fills the place of a page that loads for long: says so, and offers another page. */
function PageLoading({ afterMs }: { afterMs: number }) {
  const [isSaid, setIsSaid] = useState(false);

  useEffect(() => {
    // A visitor who had scrolled down on the page before would not see the text.
    window.scrollTo(0, 0);
    // Also without a wait: screen readers read what changes in a status, not what a new one contains.
    const timer = setTimeout(() => setIsSaid(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);

  return (
    <div className={css.placeholder} role="status">
      {isSaid && (
        <p className={css.late}>
          {t('loading.long')} <Link to={PAGES.home}>{t('loading.elsewhere')}</Link>
        </p>
      )}
    </div>
  );
}
