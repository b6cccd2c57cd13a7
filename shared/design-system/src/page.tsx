import type { ReactNode } from 'react';
import { Eyebrow } from './eyebrow.tsx';
import { joinClasses } from './join-classes.ts';
import css from './page.module.css';
import texts from './text.module.css';

interface PageProps {
  heading: string;
  /** A short label above the heading. It names the area of the site. */
  eyebrow?: ReactNode;
  lead?: string;
  narrow?: boolean;
  /** A small header and the full width, for pages where the visitor has something to do. */
  compact?: boolean;
  /** One small line for eyebrow and heading, for pages where something else says more. */
  quiet?: boolean;
  /** Beside the content, below the heading, when there is space; else at the end. */
  aside?: ReactNode;
  children?: ReactNode;
}

/** The `main` element of a page, with its only `h1`. */
export function Page({
  heading,
  eyebrow,
  lead,
  narrow = false,
  compact = false,
  quiet = false,
  aside,
  children,
}: PageProps) {
  return (
    <main
      id="content"
      className={joinClasses(css.page, narrow && css.narrow, compact && css.compact, aside !== undefined && css.beside)}
    >
      <header className={joinClasses(css.head, quiet && css.quiet)}>
        {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
        <h1>{heading}</h1>
        {lead && <p className={texts.lead}>{lead}</p>}
      </header>
      {aside ? <div className={css.content}>{children}</div> : children}
      {aside && <aside className={css.aside}>{aside}</aside>}
    </main>
  );
}
