import { t } from './words.ts';

/** What stands in the place of all that would load for ever without JavaScript. */
export function NoScript() {
  return (
    <noscript>
      <p>{t('noScript')}</p>
    </noscript>
  );
}
