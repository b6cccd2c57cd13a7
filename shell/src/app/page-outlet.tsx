import { ShowLazyPage, useLocation, type LazyPage } from '@app/platform';
import { Suspense } from 'react';
import { ScrollRestoration } from './scroll-restoration.tsx';
import { PageFocus } from './page-focus.tsx';
import { PageLoading } from './page-loading.tsx';
import { UnitBoundary } from './unit-boundary.tsx';

/** Shows a page, its loading state, or its error. An error of the page does not reach the frame around it. */
export function PageOutlet({ page }: { page: LazyPage }) {
  const { pathname } = useLocation();

  return (
    <UnitBoundary pathname={pathname} onRetry={page.retry}>
      <Suspense fallback={<PageLoading />}>
        <ShowLazyPage page={page} />
        <ScrollRestoration />
        <PageFocus />
      </Suspense>
    </UnitBoundary>
  );
}
