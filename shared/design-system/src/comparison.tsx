import type { ReactNode } from 'react';
import css from './comparison.module.css';
import { Icon } from './icon.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';
import { t } from './words.ts';

interface ComparisonProps {
  caption: string;
  /** What is compared. The first column is highlighted. */
  columns: readonly { id: string; heading: ReactNode }[];
  /** A cell is a text, or a yes or no. */
  rows: readonly { label: string; cells: readonly (string | boolean)[] }[];
}

export function Comparison({ caption, columns, rows }: ComparisonProps) {
  return (
    <div className={css.frame}>
      <table className={css.table}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <td className={css.corner} />
            {columns.map(({ id, heading }) => (
              <th key={id} scope="col" className={css.heading}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, cells }) => (
            <tr key={label}>
              <th scope="row" className={css.label}>
                {label}
              </th>
              {columns.map(({ id }, index) => (
                <td key={id} className={css.cell}>
                  <Cell value={cells[index] ?? false} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ value }: { value: string | boolean }) {
  if (typeof value === 'string') return value;

  return (
    <span className={value ? css.included : css.missing}>
      <Icon name={value ? 'check' : 'cross'} label={value ? t('comparison.yes') : t('comparison.no')} />
    </span>
  );
}
