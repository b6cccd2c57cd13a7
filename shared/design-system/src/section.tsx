import type { ReactNode } from 'react';
import { Eyebrow } from './eyebrow.tsx';
import css from './section.module.css';

interface SectionProps {
  /** The anchor that links lead to. */
  id: string;
  heading: ReactNode;
  eyebrow?: string;
  lead?: ReactNode;
  /** Heading and content in the middle, or the heading beside the content where there is room. */
  layout?: 'centred' | 'beside';
  children: ReactNode;
}

/** A part of a page with a heading and air around it; links of the page can lead to it. */
export function Section({ id, heading, eyebrow, lead, layout, children }: SectionProps) {
  return (
    <section id={id} className={css.section} aria-labelledby={`${id}-heading`} data-layout={layout}>
      <header className={css.head}>
        {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
        <h2 id={`${id}-heading`}>{heading}</h2>
        {lead && <p className={css.lead}>{lead}</p>}
      </header>
      {children}
    </section>
  );
}
