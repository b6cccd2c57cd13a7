import type { ReactNode } from 'react';
import css from './stat.module.css';

export function Stat({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={css.stat}>
      <dt className={css.label}>{label}</dt>
      <dd className={css.value}>{children}</dd>
    </div>
  );
}

export function StatRow({ children }: { children: ReactNode }) {
  return <dl className={css.row}>{children}</dl>;
}
