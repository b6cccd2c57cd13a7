import type { RemoteUnit } from '@app/contracts/release';
import { useLocation } from '@app/platform';
import { pageAt } from '../federation/load-page.ts';
import { RoomForPage } from './room-for-page.tsx';

interface UnitPageProps {
  unit: RemoteUnit;
  version: string | undefined;
  source: string | undefined;
}

/** A remote's page, marked with where it came from. */
export function UnitPage({ unit, version, source }: UnitPageProps) {
  const { pathname } = useLocation();

  return (
    <div data-unit={unit} data-version={version} data-source={source}>
      <RoomForPage page={pageAt(unit, pathname)} />
    </div>
  );
}
