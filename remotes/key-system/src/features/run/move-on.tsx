import { Navigate, notify } from '@app/platform';
import { useEffect } from 'react';
import { t } from '../../words.ts';
import type { EarnedPage } from './true-page.ts';

interface MoveOnProps {
  /** The step whose page was opened. */
  from: number;
  /** The page that the run has earned. */
  target: EarnedPage;
  /** The address of that page. */
  to: string;
  /** The run's key goes to another link of the app; the page that follows says it. */
  isOtherZone: boolean;
}

/** Leads to the page where the run stands. That it goes on there is said, when it is further than the visitor thought. */
export function MoveOn({ from, target, to, isOtherZone }: MoveOnProps) {
  useEffect(() => {
    if (target === 'getkey') notify(t('run.keyReady'));
    else if (target > from && !isOtherZone) notify(t('run.goesOn', { step: target }));
  }, [from, target, isOtherZone]);

  return <Navigate to={to} replace />;
}
