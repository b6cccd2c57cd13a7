import type { ReactNode } from 'react';
import css from './run-layout.module.css';

/** Two columns: the steps, and further facts beside them, if any. On a phone, one below the other. */
export function RunLayout({ steps, beside }: { steps: ReactNode; beside?: ReactNode }) {
  return (
    <div className={css.layout} data-alone={!beside}>
      <div className={css.column}>{steps}</div>
      {beside && <div className={css.beside}>{beside}</div>}
    </div>
  );
}
