import type { ReactNode } from 'react';
import css from './result-page.module.css';

interface ResultPageProps {
  /** A drawing of the result, such as a `StatusIcon`. */
  art: ReactNode;
  heading: string;
  lead: string;
  /** Heading and lead change while the page is open. Screen readers read each change. */
  isLive?: boolean;
  next?: ReactNode;
  actions: ReactNode;
  children?: ReactNode;
}

/** The page at the end of a process, like a ticket: what happened, and on its stub what to do next. */
export function ResultPage({ art, heading, lead, isLive = false, next, actions, children }: ResultPageProps) {
  return (
    <main id="content" className={css.page}>
      <div className={css.ticket}>
        <div className={css.outcome}>
          {art}
          <div className={css.head} {...(isLive && { role: 'status' })}>
            <h1>{heading}</h1>
            {/* Centred words that change their length would move sideways. Others in their place do not. */}
            <p key={lead} className={css.lead}>
              {lead}
            </p>
          </div>
        </div>
        <div className={css.stub}>
          {next}
          <div className={css.actions}>{actions}</div>
          {children && <div className={css.more}>{children}</div>}
        </div>
      </div>
    </main>
  );
}
