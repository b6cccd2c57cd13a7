import type { Unit } from '@app/contracts/release';
import { useLocation } from '@app/platform';
import { pageAt } from '../federation/load-page.ts';
import { PageOutlet } from './page-outlet.tsx';

interface UnitPageProps {
  unit: Unit;
  version: string | undefined;
  source: string | undefined;
}

/** A remote's page. Data attributes say which release it is from. */
export function UnitPage({ unit, version, source }: UnitPageProps) {
  const { pathname } = useLocation();

  return (
    <div data-unit={unit} data-version={version} data-source={source}>
      <PageOutlet page={pageAt(unit, pathname)} />
    </div>
  );
}
