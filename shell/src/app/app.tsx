import { PAGES } from '@app/contracts/pages';
import type { Unit } from '@app/contracts/release';
import type { Resolution } from '@app/contracts/resolution';
import { Navigate, Route, Routes } from '@app/platform';
import type { ComponentType } from 'react';
import { findLabel, listRemotes } from '../federation/resolution.ts';
import { shellPages } from '../pages/pages.ts';
import { routes } from '../pages/routes.ts';
import { PageFrame } from './page-frame.tsx';
import { PageOutlet } from './page-outlet.tsx';

interface AppProps {
  resolution: Resolution;
  /** Shows the page of a remote at the present path. The browser fetches its code; the renderer has it already. */
  unitPage: ComponentType<{ unit: Unit }>;
}

/**
 * The frame around every page, with the routes of all units. The remote that owns the path renders the page. The router
 * is around it: the browser's, or one that stays at an address.
 */
export function App({ resolution, unitPage: UnitPage }: AppProps) {
  return (
    <PageFrame labelOf={(pathname) => findLabel(resolution, pathname)}>
      <Routes>
        {listRemotes(resolution).flatMap((unit) =>
          (resolution.units[unit]?.routes ?? []).map((path) => (
            <Route key={path} path={path} element={<UnitPage unit={unit} />} />
          )),
        )}
        {Object.entries(routes).map(([path, { page }]) => (
          <Route key={path} path={path} element={<PageOutlet page={shellPages[page]} />} />
        ))}
        <Route path="*" element={<Navigate to={PAGES.home} replace />} />
      </Routes>
    </PageFrame>
  );
}
