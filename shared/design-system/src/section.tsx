import type { ReactNode } from 'react';
import { Eyebrow } from './eyebrow.tsx';
import css from './section.module.css';
import texts from './text.module.css';

interface SectionProps {
  id: string;
  heading: ReactNode;
  eyebrow?: string;
  lead?: ReactNode;
  /** `beside`: the heading is beside the content when there is space. */
  layout?: 'beside';
  children: ReactNode;
}

/** A part of a page with a heading and a margin. Links can lead to its id. */
export function Section({ id, heading, eyebrow, lead, layout, children }: SectionProps) {
  return (
    <section id={id} className={css.section} aria-labelledby={`${id}-heading`} data-layout={layout}>
      <header className={css.head}>
        {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
        <h2 id={`${id}-heading`}>{heading}</h2>
        {lead && <p className={texts.lead}>{lead}</p>}
      </header>
      {children}
    </section>
  );
}
