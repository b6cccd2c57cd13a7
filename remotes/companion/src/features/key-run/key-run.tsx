import { type Plan, PLANS } from '@app/contracts/plans';
import { Carousel } from '@app/design-system/carousel';
import { Steps } from '@app/design-system/steps';
import texts from '@app/design-system/text.module.css';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './key-run.module.css';

/** Explains how to earn a free key, and for how many days each plan replaces it. */
export function KeyRun({ actions }: { actions: ReactNode }) {
  return (
    <>
      <Steps
        steps={[
          { title: t('keys.open.title'), text: t('keys.open.text') },
          { title: t('keys.steps.title'), text: t('keys.steps.text') },
          { title: t('keys.use.title'), text: t('keys.use.text') },
        ]}
      />
      {actions}
      <Carousel
        label={t('keys.carousel')}
        slides={PLANS.map(({ id, name, days }) => ({
          id,
          caption: name,
          content: <PlanSlide name={name} days={days} />,
        }))}
      />
    </>
  );
}

/** How many days are in each row: a week, a month in three rows, a year by its months. */
const DAYS_IN_ROW = { week: 7, month: 10, year: 31 };
const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A slide about the days that a plan lasts. Each is a box in the drawing; up to a month they have ticks. */
function PlanSlide({ name, days }: Pick<Plan, 'name' | 'days'>) {
  const { width, places } = layOutDays(days);
  const height = Math.max(...places.map(([, y]) => y)) + 1;

  return (
    <div className={css.slide}>
      <div className={css.description}>
        <h3 className={css.heading}>{t('keys.slide.heading', { days })}</h3>
        <p className={texts.quiet}>{t('keys.slide.text', { plan: name })}</p>
      </div>
      <svg className={css.calendar} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <path className={css.days} d={places.map(([x, y]) => `M${x + 0.3} ${y + 0.3}h.4v.4h-.4z`).join('')} />
        {days < 32 && (
          <path className={css.ticks} d={places.map(([x, y]) => `M${x + 0.34} ${y + 0.52}l.12.12.22-.24`).join('')} />
        )}
      </svg>
    </div>
  );
}

/** Places each day of a plan: the column and the row, from 0. */
export function layOutDays(days: number): { width: number; places: (readonly [x: number, y: number])[] } {
  if (days > 31) {
    return {
      width: DAYS_IN_ROW.year,
      places: DAYS_OF_MONTHS.flatMap((length, y) => Array.from({ length }, (_, x) => [x, y] as const)),
    };
  }

  const width = days > 7 ? DAYS_IN_ROW.month : DAYS_IN_ROW.week;
  return { width, places: Array.from({ length: days }, (_, day) => [day % width, Math.floor(day / width)] as const) };
}
