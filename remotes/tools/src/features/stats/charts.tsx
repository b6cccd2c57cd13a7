import type { RunStats } from '@app/contracts/stats-schemas';
import { Card } from '@app/design-system/card';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import type { ReactNode } from 'react';
import textButton from '../../text-button.module.css';
import css from './charts.module.css';
import { dayOf, numberOf, shareOf } from '../../numbers.ts';
import { t } from './words.ts';

type OutcomeCounts = Omit<RunStats['steps'][number], 'step'>;

const PARTS = ['credited', 'refused', 'unsettled', 'lost'] as const;
const COLUMNS = ['sent', 'returned', 'credited', 'refused', 'lost'] as const;

/** The height of the chart of keys in its own units. A day is four wide, with its gap. */
const HEIGHT = 100;
const WIDTH = 4;
const GAP = 1;

interface OutcomeBarsProps {
  heading: string;
  lead: string;
  /** What the rows are, for the head of the table. */
  of: string;
  rows: readonly { id: string; label: string; sums: OutcomeCounts }[];
  /** Whether a bar is as long as its row is large, beside the largest one; else all bars are full. */
  isScaled?: boolean;
}

/** What became of the visits of each row, as bars and as a table. */
export function OutcomeBars({ heading, lead, of, rows, isScaled = false }: OutcomeBarsProps) {
  const most = Math.max(1, ...rows.map(({ sums }) => sums.sent));

  return (
    <Figure
      heading={heading}
      leads={[lead]}
      head={[of, ...COLUMNS.map((column) => t(`stats.${column}`))]}
      rows={rows.map(({ label, sums }) => [label, ...COLUMNS.map((column) => numberOf(sums[column]))])}
    >
      <ul className={css.legend} aria-hidden="true">
        {PARTS.map((part) => (
          <li key={part} className={css.part}>
            <svg className={css.key} data-part={part} viewBox="0 0 10 10">
              <rect width="10" height="10" />
            </svg>
            <span>{t(`stats.${part}`)}</span>
          </li>
        ))}
      </ul>
      <ul className={css.rows}>
        {rows.map(({ id, label, sums }) => (
          <li key={id} className={css.row}>
            <p className={css.ends}>
              <b>{label}</b>
              <span className={css.quiet}>
                {t('stats.share', { sent: sums.sent, share: shareOf(sums.credited, sums.sent) })}
              </span>
            </p>
            <Bar sums={sums} whole={isScaled ? most : Math.max(1, sums.sent)} />
          </li>
        ))}
      </ul>
    </Figure>
  );
}

function Bar({ sums: { sent, credited, refused, lost }, whole }: { sums: OutcomeCounts; whole: number }) {
  const lengths = { credited, refused, unsettled: Math.max(0, sent - credited - refused - lost), lost };
  const beginOf = (part: number) => PARTS.slice(0, part).reduce((sum, before) => sum + lengths[before], 0);

  return (
    <svg className={css.bar} viewBox={`0 0 ${String(whole)} 1`} preserveAspectRatio="none" aria-hidden="true">
      {PARTS.map((part, nth) => (
        <rect key={part} data-part={part} x={beginOf(nth)} width={lengths[part]} height="1" />
      ))}
    </svg>
  );
}

/** The keys of each day, as bars and as a table. */
export function KeyDays({ keys }: Pick<RunStats, 'keys'>) {
  const most = Math.max(1, ...keys.flatMap(({ issued, withdrawn }) => [issued, withdrawn]));
  const best = keys.find(({ issued }) => issued > 0 && issued === Math.max(...keys.map((day) => day.issued)));
  const total = (of: 'issued' | 'withdrawn') => keys.reduce((sum, day) => sum + day[of], 0);

  return (
    <Figure
      heading={t('stats.keys')}
      leads={[
        t('stats.keys.sum', { issued: total('issued'), withdrawn: total('withdrawn') }),
        ...(best ? [t('stats.keys.most', { day: dayOf(best.day), count: best.issued })] : []),
      ]}
      head={[t('stats.day'), t('stats.issued'), t('stats.withdrawn')]}
      rows={keys.map(({ day, issued, withdrawn }) => [dayOf(day), numberOf(issued), numberOf(withdrawn)]).reverse()}
    >
      <div aria-hidden="true">
        <svg
          className={css.days}
          viewBox={`0 0 ${String(keys.length * WIDTH - GAP)} ${String(HEIGHT)}`}
          preserveAspectRatio="none"
        >
          {keys.map((day, nth) =>
            (['issued', 'withdrawn'] as const).map((part) => {
              const height = (day[part] / most) * HEIGHT;
              return (
                <rect
                  key={`${day.day} ${part}`}
                  data-part={part}
                  x={nth * WIDTH}
                  y={HEIGHT - height}
                  width={WIDTH - GAP}
                  height={height}
                />
              );
            }),
          )}
        </svg>
        <p className={css.ends}>
          <span className={css.quiet}>{dayOf(keys[0]?.day ?? '')}</span>
          <span className={css.quiet}>{dayOf(keys.at(-1)?.day ?? '')}</span>
        </p>
      </div>
    </Figure>
  );
}

interface FigureProps {
  heading: string;
  leads: readonly string[];
  /** The numbers behind the chart. The first cell of a row is its name. */
  head: readonly string[];
  rows: readonly (readonly string[])[];
  children: ReactNode;
}

function Figure({ heading, leads, head, rows, children }: FigureProps) {
  return (
    <Card label={heading}>
      <div>
        <h2 className={css.heading}>{heading}</h2>
        {leads.map((lead) => (
          <p key={lead} className={css.quiet}>
            {lead}
          </p>
        ))}
      </div>
      {children}
      <details className={css.more}>
        <summary className={`${css.open} ${textButton.button}`}>{t('stats.table')}</summary>
        <div className={css.frame}>
          <table className={css.table}>
            <caption>
              <VisuallyHidden>{heading}</VisuallyHidden>
            </caption>
            <thead>
              <tr>
                {head.map((text) => (
                  <th key={text} scope="col">
                    {text}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([label, ...cells]) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  {cells.map((cell, nth) => (
                    <td key={head[nth + 1]} data-label={head[nth + 1]}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </Card>
  );
}
