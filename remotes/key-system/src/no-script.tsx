import { t } from './words.ts';

/** Stands in for what would load indefinitely without JavaScript. */
export function NoScript() {
  return (
    <noscript>
      <p>{t('noScript')}</p>
    </noscript>
  );
}
