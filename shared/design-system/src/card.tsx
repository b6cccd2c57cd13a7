import type { ReactNode } from 'react';
import css from './card.module.css';

/** A raised surface around some content. With a label it is a region that screen readers list. */
export function Card({ label, children }: { label?: string; children: ReactNode }) {
  return label ? (
    <section className={css.card} aria-label={label}>
      {children}
    </section>
  ) : (
    <div className={css.card}>{children}</div>
  );
}
