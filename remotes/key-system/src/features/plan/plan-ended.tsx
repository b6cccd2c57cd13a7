import type { RunState } from '@app/contracts/key-system-schemas';
import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { Link } from '@app/platform';
import { formatMoment } from '../../date.ts';
import { t } from '../../words.ts';
import { nameOfPlan } from './running-plan.ts';

interface PlanEndedProps {
  ended: NonNullable<RunState['endedPlan']>;
  serverOffsetMs: number;
}

/** Says at the first step why there are steps again, and how to be without them. */
export function PlanEnded({ ended, serverOffsetMs }: PlanEndedProps) {
  const moment = formatMoment(ended.endedAt, serverOffsetMs);

  return (
    <Notice title={t('plan.ended', { plan: nameOfPlan(ended), moment })}>
      <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.plans}>
        {t('plan.renew')}
      </Link>
    </Notice>
  );
}
