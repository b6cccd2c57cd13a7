import type { ReactNode } from 'react';
import css from './eyebrow.module.css';

/** A short label above a heading. It names the area of the site. */
export function Eyebrow({ children }: { children: ReactNode }) {
  return <p className={css.eyebrow}>{children}</p>;
}
