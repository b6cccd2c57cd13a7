import type { ReactNode } from 'react';
import css from './sticky-action.module.css';

/**
 * The one action of a page within reach of a thumb: on phones it stays at the bottom edge, over the page.
 * It comes last in the page, so that at the end it lies below everything and covers nothing.
 */
export function StickyAction({ children }: { children: ReactNode }) {
  return (
    <div className={css.bar} data-sticky-action>
      <div className={css.inside}>{children}</div>
    </div>
  );
}
