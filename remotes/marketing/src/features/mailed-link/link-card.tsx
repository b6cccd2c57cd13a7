import { useEffect, useRef, type ReactNode } from 'react';
import css from './link-card.module.css';

interface LinkCardProps {
  art: ReactNode;
  title: string;
  text?: string;
  /** Whether the title says that something went wrong. */
  isFailure?: boolean;
  /** Whether it takes the place of a button that was clicked. Its title takes the focus then. */
  isAnswer?: boolean;
  /** Whether the link is still read. */
  isBusy?: boolean;
  /** The step beside the card that the reader is at; none: no step can be done now. */
  at?: 1 | 2 | 3 | 'none';
  /** Links or buttons, the important one first. */
  actions?: ReactNode;
  /** A sentence above the actions. */
  before?: string;
  children?: ReactNode;
}

/** What a link of a mail can do now. Screen readers read title and text when they appear. */
export function LinkCard({
  art,
  title,
  text,
  isFailure = false,
  isAnswer = false,
  isBusy = false,
  at,
  actions,
  before,
  children,
}: LinkCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (isAnswer) heading.current?.focus();
  }, [isAnswer]);

  return (
    <section className={css.card} aria-label={title} aria-busy={isBusy} data-at={at}>
      <div className={css.art}>{art}</div>
      <div className={css.words} {...(!isAnswer && { role: isFailure ? 'alert' : 'status' })}>
        <h2 ref={heading} className={css.title} tabIndex={-1}>
          {title}
        </h2>
        {text && <p className={css.text}>{text}</p>}
      </div>
      {children}
      {before && <p className={css.text}>{before}</p>}
      {actions && <div className={css.actions}>{actions}</div>}
    </section>
  );
}
