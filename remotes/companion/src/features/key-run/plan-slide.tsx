import type { Plan } from '@app/contracts/plans';
import { t } from '../../words.ts';
import css from './plan-slide.module.css';

/** A block of dots, one for each day. Only the last row may be incomplete. */
interface DayDots {
  columns: number;
  rows: number;
  /** The `d` of an SVG path. Each day is a line of length zero, which a round line cap draws as a dot. */
  path: string;
}

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

/** Lays out the dots: up to seven days in one row, more days in a block about three times as wide as high. */
export function layOutDays(days: number): DayDots {
  const columns = days <= 7 ? days : Math.ceil(Math.sqrt(days * 3));
  const rows = Math.ceil(days / columns);
  const marks = Array.from(
    { length: days },
    (_, day) => `M${(day % columns) + 0.5} ${Math.floor(day / columns) + 0.5}h0`,
  );

  return { columns, rows, path: marks.join('') };
}
