import type { ReactNode } from 'react';
import css from './stat.module.css';

/** A number worth showing large, and what it counts. */
export function Stat({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={css.stat}>
      <dt className={css.label}>{label}</dt>
      <dd className={css.value}>{children}</dd>
    </div>
  );
}

/** Stats side by side. */
export function StatRow({ children }: { children: ReactNode }) {
  return <dl className={css.row}>{children}</dl>;
}
