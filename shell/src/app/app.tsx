import { PAGES } from '@app/contracts/pages';
import type { Resolution } from '@app/contracts/resolution';
import { Navigate, Route, Router, Routes } from '@app/platform';
import { findLabel, listRemotes } from '../federation/resolution.ts';
import { shellPages } from '../pages/pages.ts';
import { routes } from '../pages/routes.ts';
import { PageFrame } from './page-frame.tsx';
import { PageOutlet } from './page-outlet.tsx';
import { UnitPage } from './unit-page.tsx';

/** The frame around every page, with the routes of all units. The remote that owns the path renders the page. */
export function App({ resolution }: { resolution: Resolution }) {
  return (
    <Router>
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
    </Router>
  );
}
