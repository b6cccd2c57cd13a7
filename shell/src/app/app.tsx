import { NOT_FOUND_HASH, PAGES } from '@app/contracts/pages';
import type { Unit } from '@app/contracts/unit';
import type { Resolution } from '@app/contracts/resolution';
import { Navigate, useLocation } from '@app/platform';
import type { ComponentType } from 'react';
import { findLabel, findOwner } from '../federation/resolution.ts';
import { shellPages } from '../pages/pages.ts';
import { routes } from '../pages/routes.ts';
import { PageFrame } from './page-frame.tsx';
import { PageOutlet } from './page-outlet.tsx';

interface AppProps {
  resolution: Resolution;
  /** Shows the page of a remote at the present path. The browser fetches its code; the renderer has it already. */
  unitPage: ComponentType<{ unit: Unit }>;
}

/** The router is around it: the browser's, or one that stays at an address. */
export function App({ resolution, unitPage }: AppProps) {
  return (
    <PageFrame labelOf={(pathname) => findLabel(resolution, pathname)}>
      <Page resolution={resolution} unitPage={unitPage} />
    </PageFrame>
  );
}

/** Paths are compared as they are. The router's `Routes` would compile a pattern for each, and has 3 KB. */
function Page({ resolution, unitPage: UnitPage }: AppProps) {
  const { pathname } = useLocation();
  const owner = findOwner(resolution, pathname);
  if (owner) return <UnitPage unit={owner} />;

  const own = Object.entries(routes).find(([path]) => path === pathname)?.[1];
  return own ? <PageOutlet page={shellPages[own.page]} /> : <Navigate to={PAGES.home + NOT_FOUND_HASH} replace />;
}
