import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import css from './notice.module.css';

interface NoticeProps {
  kind?: 'info' | 'warning';
  title: string;
  children?: ReactNode;
}

/** A message in the page, next to its subject. Screen readers read it when it appears. */
export function Notice({ kind = 'info', title, children }: NoticeProps) {
  return (
    <div role="status" className={kind === 'warning' ? `${css.notice} ${css.warning}` : css.notice}>
      <span className={css.sign}>
        <Icon name={kind} />
      </span>
      <div className={css.words}>
        <p className={css.title}>{title}</p>
        {children && <p className={css.text}>{children}</p>}
      </div>
    </div>
  );
}
