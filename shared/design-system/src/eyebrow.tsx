import css from './eyebrow.module.css';
import { lettersOf } from './letters.tsx';

/** A short label above a heading. It names the area of the site. */
export function Eyebrow({ children }: { children: string }) {
  return (
    <p className={css.eyebrow} data-letters={lettersOf(children)}>
      {children}
    </p>
  );
}
