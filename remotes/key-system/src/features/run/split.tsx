import type { ReactNode } from 'react';
import css from './run-layout.module.css';

interface SplitProps {
  /** What the words are about: a picture, or the run. In a wide window it stands beside the heading and the words. */
  beside: ReactNode;
  /** Below both on a phone, below the words in a wide window. */
  foot?: ReactNode;
  children: ReactNode;
}

/** All that a page with one action has below its heading. In a wide window the heading is in the column of the words. */
export function Split({ beside, foot, children }: SplitProps) {
  return (
    <>
      <div className={css.words}>{children}</div>
      <div className={css.picture}>{beside}</div>
      {foot && <div className={css.foot}>{foot}</div>}
    </>
  );
}
