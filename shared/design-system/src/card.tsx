import type { ReactNode } from 'react';
import css from './card.module.css';

/** A raised surface for one thing. With a heading it is a region that assistive technology lists. */
export function Card({ label, children }: { label?: string; children: ReactNode }) {
  return label ? (
    <section className={css.card} aria-label={label}>
      {children}
    </section>
  ) : (
    <div className={css.card}>{children}</div>
  );
}
