import { Button } from '@app/design-system/button';
import type { ReactNode } from 'react';
import css from './confirm-button.module.css';
import { explainLimit } from './link-errors.ts';
import type { Confirm } from './use-confirm.ts';
import { t } from './words.ts';

/** The button that does what a link is for. After a failure the page stays, and the button tries again. What
 * went wrong is said at the end of the card, where it moves no button. */
export function ConfirmButton({ isSending, error, confirm, children }: Confirm & { children: ReactNode }) {
  const hasFailed = error !== undefined;

  return (
    <>
      <Button disabled={isSending} onClick={confirm}>
        {isSending ? t('link.sending') : hasFailed ? t('link.retry') : children}
      </Button>
      {hasFailed && (
        <p className={css.failure} role="alert">
          {explainLimit(error) ?? t('link.notDone')}
        </p>
      )}
    </>
  );
}
