import { ShowLazyPage, useLocation, type LazyPage } from '@app/platform';
import { Suspense, use, useState } from 'react';
import { ScrollRestoration } from './scroll-restoration.tsx';
import { PageFocus } from './page-focus.tsx';
import { PageLoading, PageRoom } from './page-loading.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

const SAY_SO_AFTER_MS = 3000;

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
      <Suspense fallback={<PageRoom />}>
        {!isFirst && <HoldBack page={page} />}
        <Suspense key={pathname} fallback={<PageLoading afterMs={isFirst ? SAY_SO_AFTER_MS : 0} />}>
          <ShowLazyPage page={page} />
          <ScrollRestoration />
          <PageFocus />
        </Suspense>
      </Suspense>
    </ErrorBoundary>
  );
}

/** Holds back what is beside it until the page has loaded, for three seconds at most. */
function HoldBack({ page }: { page: LazyPage }) {
  const wait = waitFor(page);
  if (wait) use(wait);
  return null;
}

/** The waits by what they wait for: every render of a page that has waited has to use the same promise. */
const waits = new WeakMap<Promise<unknown>, Promise<unknown>>();

/** What ends when the page has loaded or is late; undefined when it was there from the start. */
function waitFor(page: LazyPage): Promise<unknown> | undefined {
  const loading = page.preload();
  let wait = waits.get(loading);
  if (!wait && !page.loaded()) {
    wait = Promise.race([loading, new Promise((resolve) => setTimeout(resolve, SAY_SO_AFTER_MS))]);
    waits.set(loading, wait);
  }
  return wait;
}
