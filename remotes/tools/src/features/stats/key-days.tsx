import type { RunStats } from '@app/contracts/stats-schemas';
import { useId } from 'react';
import { FigureTable } from './figure-table.tsx';
import css from './key-days.module.css';
import { dayOf, numberOf } from './numbers.ts';
import { t } from './words.ts';

/** The height of the chart in its own units. A day is four wide, with its gap. */
const HEIGHT = 100;
const WIDTH = 4;
const GAP = 1;

/** The keys of each day, as bars and as a table. */
export function KeyDays({ keys }: Pick<RunStats, 'keys'>) {
  const id = useId();
  const most = Math.max(1, ...keys.map(({ issued, withdrawn }) => Math.max(issued, withdrawn)));
  const best = keys.reduce<(typeof keys)[number] | undefined>(
    (best, day) => (day.issued > (best?.issued ?? 0) ? day : best),
    undefined,
  );
  const total = (of: 'issued' | 'withdrawn') => keys.reduce((sum, day) => sum + day[of], 0);

  return (
    <section className={css.figure} aria-labelledby={id}>
      <div>
        <h2 id={id} className={css.heading}>
          {t('stats.keys')}
        </h2>
        <p className={css.quiet}>{t('stats.keys.sum', { issued: total('issued'), withdrawn: total('withdrawn') })}</p>
        {best && <p className={css.quiet}>{t('stats.keys.most', { day: dayOf(best.day), count: best.issued })}</p>}
      </div>
      <div aria-hidden="true">
        <svg
          className={css.chart}
          viewBox={`0 0 ${String(keys.length * WIDTH - GAP)} ${String(HEIGHT)}`}
          preserveAspectRatio="none"
        >
          {keys.map(({ day, issued, withdrawn }, nth) =>
            [
              { part: 'issued', height: (issued / most) * HEIGHT },
              { part: 'withdrawn', height: (withdrawn / most) * HEIGHT },
            ].map(({ part, height }) => (
              <rect
                key={`${day} ${part}`}
                data-part={part}
                x={nth * WIDTH}
                y={HEIGHT - height}
                width={WIDTH - GAP}
                height={height}
              />
            )),
          )}
        </svg>
        <p className={css.axis}>
          <span>{dayOf(keys[0]?.day ?? '')}</span>
          <span>{dayOf(keys.at(-1)?.day ?? '')}</span>
        </p>
      </div>
      <FigureTable
        caption={t('stats.keys')}
        head={[t('stats.day'), t('stats.issued'), t('stats.withdrawn')]}
        rows={keys
          .map(({ day, issued, withdrawn }) => ({
            id: day,
            label: dayOf(day),
            cells: [numberOf(issued), numberOf(withdrawn)],
          }))
          .reverse()}
      />
    </section>
  );
}
