import { VisuallyHidden } from '@app/design-system/visually-hidden';
import css from './figure-table.module.css';
import { t } from './words.ts';

interface FigureTableProps {
  caption: string;
  head: readonly string[];
  rows: readonly { id: string; label: string; cells: readonly string[] }[];
}

/** The numbers behind a chart. */
export function FigureTable({ caption, head, rows }: FigureTableProps) {
  return (
    <details className={css.more}>
      <summary className={css.open}>{t('stats.table')}</summary>
      <div className={css.frame}>
        <table className={css.table}>
          <caption>
            <VisuallyHidden>{caption}</VisuallyHidden>
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
            {rows.map(({ id, label, cells }) => (
              <tr key={id}>
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
  );
}
