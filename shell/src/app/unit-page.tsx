import type { RemoteUnit, Resolution } from '@app/contracts/release';
import { useLocation } from '@app/platform';
import { pageAt } from '../federation/load-page.ts';
import { RoomForPage } from './room-for-page.tsx';

interface UnitPageProps {
  unit: RemoteUnit;
  resolution: Resolution;
}

/** A remote's page, marked with where it came from. */
export function UnitPage({ unit, resolution }: UnitPageProps) {
  const { pathname } = useLocation();
  const { version, source } = resolution.units[unit] ?? {};

  return (
    <div data-unit={unit} data-version={version} data-source={source}>
      <RoomForPage page={pageAt(unit, resolution, pathname)} />
    </div>
  );
}
