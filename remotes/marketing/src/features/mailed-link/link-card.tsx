import type { ReactNode } from 'react';
import css from './link-card.module.css';

interface LinkCardProps {
  art: ReactNode;
  title: string;
  text?: string;
  /** Whether the title says that something went wrong. */
  isFailure?: boolean;
  /** Links or buttons, the important one first. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** What a link of a mail can do now. Screen readers read title and text when they appear. */
export function LinkCard({ art, title, text, isFailure = false, actions, children }: LinkCardProps) {
  return (
    <section className={css.card} aria-label={title}>
      <div className={css.art}>{art}</div>
      <div className={css.words} role={isFailure ? 'alert' : 'status'}>
        <h2 className={css.title}>{title}</h2>
        {text && <p className={css.text}>{text}</p>}
      </div>
      {children}
      {actions && <div className={css.actions}>{actions}</div>}
    </section>
  );
}
