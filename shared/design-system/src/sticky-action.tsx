import type { ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';
import css from './sticky-action.module.css';

/**
 * The main action of a page. On phones it sticks to the bottom edge, over the page. Make it the last element of the
 * page, so that it covers nothing at the end. With `inPlace` it can be anywhere in the page; only on phones it moves to
 * the bottom edge, over what comes after it (`over`).
 */
export function StickyAction({ inPlace = false, children }: { inPlace?: boolean; children: ReactNode }) {
  return (
    <div className={joinClasses(css.bar, inPlace && css.inPlace)} data-sticky-action={inPlace ? 'over' : ''}>
      <div className={css.inside}>{children}</div>
    </div>
  );
}
