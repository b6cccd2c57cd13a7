import { ShowLazyPage, useLocation, type LazyPage } from '@app/platform';
import { Suspense } from 'react';
import { ScrollKeeper } from './scroll-keeper.tsx';
import { StillLoading } from './still-loading.tsx';
import { UnitBoundary } from './unit-boundary.tsx';

/** The place where a page appears. What goes wrong in it stays in it. */
export function RoomForPage({ page }: { page: LazyPage }) {
  const { pathname } = useLocation();

  return (
    <UnitBoundary pathname={pathname} onRetry={page.retry}>
      <Suspense fallback={<StillLoading />}>
        <ShowLazyPage page={page} />
        <ScrollKeeper />
      </Suspense>
    </UnitBoundary>
  );
}
