import type { ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';
import css from './sticky-action.module.css';

/**
 * The one action of a page within reach of a thumb: on phones it stays at the bottom edge, over the page.
 * It comes last in the page, so that at the end it lies below everything and covers nothing.
 * With `inPlace` it stands amid the page, beside what it is about, and only on phones leaves its place for the edge.
 */
export function StickyAction({ inPlace = false, children }: { inPlace?: boolean; children: ReactNode }) {
  return (
    <div className={joinClasses(css.bar, inPlace && css.inPlace)} data-sticky-action>
      <div className={css.inside}>{children}</div>
    </div>
  );
}
