import { readPasted, readWrapped } from '@app/contracts/read-pasted';
import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import type { FormEvent } from 'react';
import type { KeyToCheck } from '../../verifier/verifier.ts';
import { t } from './words.ts';
import css from './check-key.module.css';

/** Keeps the browser from changing a pasted text. */
const NO_AUTOCORRECT = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;

interface CheckFormProps {
  typed: KeyToCheck;
  isBusy: boolean;
  /** Called when the visitor edits a field, so that an earlier result no longer applies. */
  onEdit: (typed: KeyToCheck) => void;
  onCheck: (toCheck: KeyToCheck) => void;
  onSample: () => void;
}

/** The form for a key and the device that it should be for. Neither becomes part of the page's address. */
export function CheckForm({ typed, isBusy, onEdit, onCheck, onSample }: CheckFormProps) {
  function submit(event: FormEvent) {
    event.preventDefault();
    onCheck({ key: readWrapped(typed.key), hwid: readPasted(typed.hwid) });
  }

  return (
    <form className={css.form} onSubmit={submit}>
      <FormField label={t('check.key')} isCode>
        {(control) => (
          <textarea
            {...control}
            {...NO_AUTOCORRECT}
            rows={4}
            required
            placeholder="eyJ…"
            value={typed.key}
            onChange={({ target }) => onEdit({ ...typed, key: target.value })}
          />
        )}
      </FormField>
      <FormField label={t('check.deviceId')} isCode>
        {(control) => (
          <input
            {...control}
            {...NO_AUTOCORRECT}
            required
            value={typed.hwid}
            onChange={({ target }) => onEdit({ ...typed, hwid: target.value })}
          />
        )}
      </FormField>
      <div className={css.actions}>
        <Button type="submit" disabled={isBusy}>
          {t('check.check')}
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={onSample}>
          {t('check.sample')}
        </Button>
      </div>
    </form>
  );
}
