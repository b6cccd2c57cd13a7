import type { ReactNode } from 'react';
import css from './fact-list.module.css';

interface FactListProps {
  facts: readonly { label: string; value: ReactNode }[];
  /**
   * `columns`: each value stands below its label, and up to three facts share a line. `line`: facts share a line in a wide
   * window, as many as have room.
   */
  layout?: 'columns' | 'line';
}

/** Facts as pairs of label and value, for example version and size of a download. */
export function FactList({ facts, layout }: FactListProps) {
  return (
    <dl className={css.list} data-layout={layout}>
      {facts.map(({ label, value }) => (
        <div key={label} className={css.fact}>
          <dt className={css.label}>{label}</dt>
          <dd className={css.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
