import type { ReactNode } from 'react';
import css from './docs.module.css';

/** The columns of a reference: what leads through it, and the reference. */
export function Docs({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className={css.docs}>
      {aside}
      <div className={css.text}>{children}</div>
    </div>
  );
}
