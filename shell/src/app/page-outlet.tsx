import { ShowLazyPage, useLocation, type LazyPage } from '@app/platform';
import { Suspense } from 'react';
import { ScrollRestoration } from './scroll-restoration.tsx';
import { PageFocus } from './page-focus.tsx';
import { PageLoading } from './page-loading.tsx';
import { UnitBoundary } from './unit-boundary.tsx';

interface PageOutletProps {
  page: LazyPage;
  /** Is told what the page threw while it rendered, and returns whether another release can take its place. */
  onCrash?: (error: Error) => boolean;
}

/**
 * Shows a page, its loading state, or its error. An error of the page does not reach the frame around it. Each path has
 * a page of its own: while one waits for its code, with the server's HTML in its place, the visitor can go to another.
 */
export function PageOutlet({ page, onCrash }: PageOutletProps) {
  const { pathname } = useLocation();

  return (
    <UnitBoundary pathname={pathname} onRetry={page.retry} onCrash={onCrash}>
      <Suspense key={pathname} fallback={<PageLoading />}>
        <ShowLazyPage page={page} />
        <ScrollRestoration />
        <PageFocus />
      </Suspense>
    </UnitBoundary>
  );
}
