import type { ReactNode } from 'react';
import { Eyebrow } from './eyebrow.tsx';
import { joinClasses } from './join-classes.ts';
import css from './page.module.css';

interface PageProps {
  heading: string;
  /** A word or two above the heading that says where one is. */
  eyebrow?: string;
  lead?: string;
  /** For pages that are read or filled in rather than looked at. */
  narrow?: boolean;
  /** For pages where something is to be done at once: little above it, all the width beside it. */
  compact?: boolean;
  children?: ReactNode;
}

/** The one main landmark of a page, with its only first-level heading. */
export function Page({ heading, eyebrow, lead, narrow = false, compact = false, children }: PageProps) {
  return (
    <main id="content" className={joinClasses(css.page, narrow && css.narrow, compact && css.compact)}>
      <header className={css.head}>
        {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
        <h1>{heading}</h1>
        {lead && <p className={css.lead}>{lead}</p>}
      </header>
      {children}
    </main>
  );
}
