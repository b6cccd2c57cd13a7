import type { ReactNode } from 'react';
import css from './app-info.module.css';

/** The facts of a download: version, size, what it needs. */
export function AppInfo({ facts }: { facts: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className={css.info}>
      {facts.map(({ label, value }) => (
        <div key={label} className={css.fact}>
          <dt className={css.label}>{label}</dt>
          <dd className={css.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
