import type { RunStats } from '@app/contracts/stats-schemas';
import { useId } from 'react';
import { FigureTable } from './figure-table.tsx';
import { numberOf, shareOf } from './numbers.ts';
import css from './outcome-bars.module.css';
import { t } from './words.ts';

type Sums = Omit<RunStats['steps'][number], 'step'>;

const PARTS = ['credited', 'refused', 'unsettled', 'lost'] as const;
const COLUMNS = ['sent', 'returned', 'credited', 'refused', 'lost'] as const;

interface OutcomeBarsProps {
  heading: string;
  lead: string;
  /** What the rows are, for the head of the table. */
  of: string;
  rows: readonly { id: string; label: string; sums: Sums }[];
  /** Whether a bar is as long as its row is large, beside the largest one; else all bars are full. */
  isScaled?: boolean;
}

/** What became of the visits of each row, as bars and as a table. */
export function OutcomeBars({ heading, lead, of, rows, isScaled = false }: OutcomeBarsProps) {
  const id = useId();
  const most = Math.max(1, ...rows.map(({ sums }) => sums.sent));

  return (
    <section className={css.figure} aria-labelledby={id}>
      <div>
        <h2 id={id} className={css.heading}>
          {heading}
        </h2>
        <p className={css.quiet}>{lead}</p>
      </div>
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
        {rows.map(({ id: row, label, sums }) => (
          <li key={row} className={css.row}>
            <p className={css.head}>
              <span className={css.label}>{label}</span>
              <span className={css.share}>
                {t('stats.share', { sent: sums.sent, share: shareOf(sums.credited, sums.sent) })}
              </span>
            </p>
            <Bar sums={sums} whole={isScaled ? most : Math.max(1, sums.sent)} />
          </li>
        ))}
      </ul>
      <FigureTable
        caption={heading}
        head={[of, ...COLUMNS.map((column) => t(`stats.${column}`))]}
        rows={rows.map(({ id: row, label, sums }) => ({
          id: row,
          label,
          cells: COLUMNS.map((column) => numberOf(sums[column])),
        }))}
      />
    </section>
  );
}

function Bar({ sums, whole }: { sums: Sums; whole: number }) {
  const { sent, credited, refused, lost } = sums;
  const unsettled = Math.max(0, sent - credited - refused - lost);
  // In the order of the legend.
  const parts = { credited, refused, unsettled, lost };
  const lengths = Object.values(parts);

  return (
    <svg className={css.bar} viewBox={`0 0 ${String(whole)} 1`} preserveAspectRatio="none" aria-hidden="true">
      {PARTS.map((part, nth) => (
        <rect
          key={part}
          data-part={part}
          x={lengths.slice(0, nth).reduce((sum, length) => sum + length, 0)}
          width={parts[part]}
          height="1"
        />
      ))}
    </svg>
  );
}
