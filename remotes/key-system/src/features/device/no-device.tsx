import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './no-device.module.css';

/** Says for those who help that the address names no device. Visitors need not open it. */
export function NoDevice({ children }: { children?: ReactNode }) {
  return (
    <details className={css.details}>
      <summary className={css.summary}>{t('device.details')}</summary>
      <p className={css.none}>
        <span>{t('device.label')}</span> <code>{t('device.none')}</code> {children}
      </p>
    </details>
  );
}
