import type { Plan } from '@app/contracts/plans';
import { t } from '../../words.ts';
import { layOutDays } from './day-dots.ts';
import css from './plan-slide.module.css';

/** A slide about the days that a plan lasts, with a dot for each day. */
export function PlanSlide({ name, days }: Pick<Plan, 'name' | 'days'>) {
  const { columns, rows, path } = layOutDays(days);

  return (
    <div className={css.slide}>
      <div className={css.words}>
        <p className={css.plan}>{name}</p>
        <h3 className={css.heading}>{t('keys.slide.heading', { days })}</h3>
        <p className={css.text}>{t('keys.slide.text', { plan: name })}</p>
      </div>
      <svg className={css.days} viewBox={`0 0 ${columns} ${rows}`} aria-hidden="true">
        <path d={path} />
      </svg>
    </div>
  );
}
