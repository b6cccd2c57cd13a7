import type { ReactNode, Ref } from 'react';
import css from './docs.module.css';

interface DocsProps {
  ref?: Ref<HTMLDivElement>;
  aside: ReactNode;
  children: ReactNode;
}

/** The columns of a reference: what leads through it, and the reference. */
export function Docs({ ref, aside, children }: DocsProps) {
  return (
    <div ref={ref} className={css.docs}>
      {aside}
      <div className={css.content}>{children}</div>
    </div>
  );
}
