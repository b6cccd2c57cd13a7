import type { Plan } from '@app/contracts/plans';
import { t } from '../../words.ts';
import css from './plan-slide.module.css';

/** The pages of a calendar: one for up to a month, more for a year. */
interface Calendar {
  width: number;
  height: number;
  pages: readonly { x: number; y: number; days: string }[];
  /** The size of a page; each day is one unit. */
  page: { width: number; height: number };
}

const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A slide about the days that a plan lasts, with a calendar of them. */
export function PlanSlide({ name, days }: Pick<Plan, 'name' | 'days'>) {
  const { width, height, page, pages } = layOutDays(days);

  return (
    <div className={css.slide}>
      <div className={css.words}>
        <p className={css.plan}>{name}</p>
        <h3 className={css.heading}>{t('keys.slide.heading', { days })}</h3>
        <p className={css.text}>{t('keys.slide.text', { plan: name })}</p>
      </div>
      <svg className={css.calendar} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {pages.map(({ x, y, days: marks }) => (
          <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
            <rect {...page} rx="1" className={css.page} />
            <path d="M2.6-.4v.9M6-.4v.9" className={css.rings} />
            <path d={`M0 1.5h${page.width}`} className={css.rule} />
            <path d={marks} className={css.days} />
          </g>
        ))}
      </svg>
    </div>
  );
}

/** Lays out a calendar with all days of a plan, a week in each row. Of several months, four stand in a row. */
export function layOutDays(days: number): Calendar {
  const months = days > 31 ? MONTHS : [days];
  const across = Math.min(months.length, 4);
  const page = { width: 8.6, height: 2.8 + Math.ceil(Math.max(...months) / 7) };

  return {
    width: across * (page.width + 1),
    height: Math.ceil(months.length / across) * (page.height + 1),
    page,
    pages: months.map((length, at) => ({
      x: (at % across) * (page.width + 1) + 0.5,
      y: Math.floor(at / across) * (page.height + 1) + 0.5,
      days: Array.from({ length }, (_, day) => `M${(day % 7) + 1.3} ${Math.floor(day / 7) + 2.5}h0`).join(''),
    })),
  };
}
