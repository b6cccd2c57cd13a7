import { t } from '../../words.ts';
import css from './run-deadline.module.css';

/** Until when the run stays open, by the visitor's own clock. */
export function RunDeadline({ expiresAt }: { expiresAt: number }) {
  const time = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit' }).format(expiresAt);

  return <p className={css.deadline}>{t('run.deadline', { time })}</p>;
}
