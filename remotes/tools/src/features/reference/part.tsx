import type { ReactNode } from 'react';
import css from './part.module.css';

interface PartProps {
  /** The id that links lead to. */
  id: string;
  heading: string;
  children: ReactNode;
}

export function Part({ id, heading, children }: PartProps) {
  return (
    <section id={id} className={css.part} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className={css.heading}>
        {heading}
      </h2>
      {children}
    </section>
  );
}

export function Text({ children }: { children: ReactNode }) {
  return <p className={css.text}>{children}</p>;
}

/** An answer as formatted JSON. */
export function Answer({ children }: { children: object }) {
  return <Call>{JSON.stringify(children, null, 2)}</Call>;
}

/** A request or an address. Long lines wrap instead of scrolling sideways. */
export function Call({ label, children }: { label?: string; children: string }) {
  return (
    <figure className={css.figure}>
      {label !== undefined && <figcaption className={css.label}>{label}</figcaption>}
      <pre className={css.call}>
        <code>{children}</code>
      </pre>
    </figure>
  );
}
