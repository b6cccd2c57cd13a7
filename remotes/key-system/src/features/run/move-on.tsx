import { Navigate, showToast } from '@app/platform';
import { useEffect } from 'react';
import { t } from '../../words.ts';
import type { EarnedPage } from './earned-page.ts';

interface MoveOnProps {
  /** The step whose page was opened. */
  from: number;
  /** The page that the run has earned. */
  target: EarnedPage;
  /** The address of that page. */
  to: string;
  /** Whether the run belongs to another zone. The next page says so, so there is no toast. */
  isOtherZone: boolean;
}

/** Leads to the page that the run has earned. A toast says so when that page comes after the opened one. */
export function MoveOn({ from, target, to, isOtherZone }: MoveOnProps) {
  useEffect(() => {
    if (target === 'getkey') showToast(t('run.keyReady'));
    else if (target > from && !isOtherZone) showToast(t('run.goesOn', { step: target }));
  }, [from, target, isOtherZone]);

  return <Navigate to={to} replace />;
}
