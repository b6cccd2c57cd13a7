import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import css from './notice.module.css';

interface NoticeProps {
  kind?: 'info' | 'warning';
  title: string;
  /** For words that have to be read now: no passing toast lies over the page while they are there. */
  holdsToasts?: boolean;
  children?: ReactNode;
}

/** A message in the page, next to its subject. Screen readers read it when it appears. */
export function Notice({ kind = 'info', title, holdsToasts = false, children }: NoticeProps) {
  return (
    <div
      role="status"
      className={kind === 'warning' ? `${css.notice} ${css.warning}` : css.notice}
      data-holds-toasts={holdsToasts || undefined}
    >
      <span className={css.sign}>
        <Icon name={kind} />
      </span>
      <div className={css.message}>
        <p className={css.title}>{title}</p>
        {children && <div className={css.text}>{children}</div>}
      </div>
    </div>
  );
}
