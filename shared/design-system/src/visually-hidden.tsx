import type { ReactNode } from 'react';
import css from './visually-hidden.module.css';

/** Words for those who listen, where those who look see them in another form. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={css.hidden}>{children}</span>;
}
