import { PLANS } from '@app/contracts/plans';
import { momentOf } from '../../moment.ts';
import css from './plan-status-line.module.css';
import type { PlanStatus } from './use-plan-status.ts';
import { t } from './words.ts';

/** Says which plan the device has now, and what can be done. It keeps the space for its longest words from the start. */
export function PlanStatusLine({ status }: { status: PlanStatus }) {
  const { what, next } = wordsOf(status);

  return (
    <div className={css.status} role="status" data-is={status.is}>
      <p key={what} className={css.what}>
        {what}
      </p>
      {next && <p>{next}</p>}
    </div>
  );
}

function wordsOf(status: PlanStatus): { what: string; next?: string } {
  if (status.is === 'asking') return { what: t('status.asking') };
  if (status.is !== 'running') return { what: t(`status.${status.is}`), next: t(`status.${status.is}.next`) };

  const { id, until, renewable, renewableFrom, serverOffsetMs } = status.plan;
  const plan = PLANS.find((one) => one.id === id)?.name ?? id;
  return {
    what: t('status.runs', { plan, ...momentOf(until, serverOffsetMs) }),
    next: renewable ? t('status.renewable') : t('status.later', momentOf(renewableFrom, serverOffsetMs)),
  };
}
