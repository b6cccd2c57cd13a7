import type { ReactNode } from 'react';
import css from './section.module.css';

interface SectionProps {
  /** The anchor that links lead to. */
  id: string;
  heading: string;
  eyebrow?: string;
  lead?: ReactNode;
  /** Heading and content in the middle. */
  centred?: boolean;
  children: ReactNode;
}

/** A part of a page with a heading and air around it; links of the page can lead to it. */
export function Section({ id, heading, eyebrow, lead, centred = false, children }: SectionProps) {
  return (
    <section id={id} className={css.section} aria-labelledby={`${id}-heading`} data-centred={centred}>
      <header className={css.head}>
        {eyebrow && <p className={css.eyebrow}>{eyebrow}</p>}
        <h2 id={`${id}-heading`}>{heading}</h2>
        {lead && <p className={css.lead}>{lead}</p>}
      </header>
      {children}
    </section>
  );
}
