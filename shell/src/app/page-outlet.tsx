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

/** Shows a page, its loading state, or its error. An error of the page does not reach the frame around it. */
export function PageOutlet({ page, onCrash }: PageOutletProps) {
  const { pathname } = useLocation();

  return (
    <UnitBoundary pathname={pathname} onRetry={page.retry} onCrash={onCrash}>
      <Suspense fallback={<PageLoading />}>
        <ShowLazyPage page={page} />
        <ScrollRestoration />
        <PageFocus />
      </Suspense>
    </UnitBoundary>
  );
}
