import type { ReactNode } from 'react';
import css from './part.module.css';

interface PartProps {
  /** The id that links lead to. */
  id: string;
  heading: string;
  /** Calls and answers, in a column of their own when there is space. */
  code?: ReactNode;
  /** What comes after the code. */
  more?: ReactNode;
  children?: ReactNode;
}

export function Part({ id, heading, code, more, children }: PartProps) {
  return (
    <section id={id} className={css.part} aria-labelledby={`${id}-heading`}>
      <div className={css.words}>
        <h2 id={`${id}-heading`} className={css.heading}>
          {heading}
        </h2>
        {children}
      </div>
      {code && <div className={css.code}>{code}</div>}
      {more && <div className={css.more}>{more}</div>}
    </section>
  );
}

export function Text({ children }: { children: ReactNode }) {
  return <p className={css.text}>{children}</p>;
}
