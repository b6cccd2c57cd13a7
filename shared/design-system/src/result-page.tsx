import type { ReactNode } from 'react';
import { Eyebrow } from './eyebrow.tsx';
import css from './result-page.module.css';

interface ResultPageProps {
  /** A drawing of the result, such as a `StatusIcon`. */
  art: ReactNode;
  /** A short label above the heading. It names whose result it is. */
  eyebrow?: ReactNode;
  heading: string;
  lead: string;
  /** Heading and lead change while the page is open. Screen readers read each change. */
  isLive?: boolean;
  next?: ReactNode;
  actions: ReactNode;
  /** Below the actions. */
  note?: ReactNode;
  /** At the ticket's lower edge, where it moves nothing when it comes late. */
  children?: ReactNode;
}

/** The page at the end of a process, like a ticket: what happened, and on its stub what to do next. */
export function ResultPage({
  art,
  eyebrow,
  heading,
  lead,
  isLive = false,
  next,
  actions,
  note,
  children,
}: ResultPageProps) {
  // What takes the place of next steps are other elements, which have not moved.
  const kind = next ? 'next' : 'end';

  return (
    <main id="content" className={css.page}>
      <div className={css.ticket}>
        <div className={css.outcome}>
          {art}
          <div className={css.head} {...(isLive && { role: 'status' })}>
            {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
            {/* Centred words that change their length would move sideways. Others in their place do not. */}
            <h1 key={heading}>{heading}</h1>
            <p key={lead} className={css.lead}>
              {lead}
            </p>
          </div>
        </div>
        <div key={`stub ${kind}`} className={css.stub}>
          {next}
          <div className={css.actions}>{actions}</div>
          {note && <div className={css.note}>{note}</div>}
        </div>
        {children && (
          <div key={`more ${kind}`} className={css.more}>
            {children}
          </div>
        )}
      </div>
    </main>
  );
}
