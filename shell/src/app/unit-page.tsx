import type { Unit } from '@app/contracts/unit';
import { useLocation } from '@app/platform';
import { useEffect } from 'react';
import { forgetPage, pageAt } from '../federation/load-page.ts';
import { PageOutlet } from './page-outlet.tsx';

export function UnitPage({ unit }: { unit: Unit }) {
  const { pathname } = useLocation();
  const page = pageAt(unit, pathname);
  useEffect(() => () => forgetPage(pathname), [pathname]);

  return <PageOutlet page={page} onCrash={page.replace} />;
}
