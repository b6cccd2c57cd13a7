import { AppMark } from '@app/brand-ui/app-mark';
import { COMPANION } from '@app/contracts/brand';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './covered-note.module.css';

export function CoveredNote({ action }: { action: ReactNode }) {
  return (
    <aside className={css.note}>
      <AppMark app="v5" size={44} />
      <div className={css.words}>
        <h3 className={css.heading}>{t('covered.heading')}</h3>
        <p className={css.text}>{t('covered.text', { app: COMPANION.label })}</p>
      </div>
      {action}
    </aside>
  );
}
