import type { ReactNode } from 'react';
import css from './run-layout.module.css';

/** The steps, and beside them what is good to know; on a phone one after the other. */
export function RunLayout({ steps, beside }: { steps: ReactNode; beside: ReactNode }) {
  return (
    <div className={css.layout}>
      <div className={css.column}>{steps}</div>
      <div className={css.beside}>{beside}</div>
    </div>
  );
}
