import type { ReactNode } from 'react';
import css from './fact-list.module.css';

/** Facts as pairs of label and value, for example version and size of a download. */
export function FactList({ facts }: { facts: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className={css.list}>
      {facts.map(({ label, value }) => (
        <div key={label} className={css.fact}>
          <dt className={css.label}>{label}</dt>
          <dd className={css.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
