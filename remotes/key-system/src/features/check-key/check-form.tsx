import { readPasted, readWrapped } from '@app/contracts/read-pasted';
import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import { useState, type FormEvent } from 'react';
import { t } from '../../words.ts';
import css from './check-form.module.css';
import type { KeyToCheck } from './check-key.ts';

/** Keeps the browser from changing a pasted text. */
const VERBATIM = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;

interface CheckFormProps {
  /** The device that the address names. */
  hwid: string;
  isBusy: boolean;
  /** Called when the visitor edits a field, so that an earlier result no longer applies. */
  onEdit: () => void;
  onCheck: (toCheck: KeyToCheck) => void;
}

/** The form for a key and the device that it should be for. Neither becomes part of the page's address. */
export function CheckForm({ hwid, isBusy, onEdit, onCheck }: CheckFormProps) {
  const [key, setKey] = useState('');
  const [device, setDevice] = useState<string>();
  const toCheck = { key: readWrapped(key), hwid: readPasted(device ?? hwid) };

  function submit(event: FormEvent) {
    event.preventDefault();
    onCheck(toCheck);
  }

  return (
    <form className={css.form} onSubmit={submit} onInput={onEdit}>
      <FormField label={t('check.key')} isCode>
        {(control) => (
          <textarea
            {...control}
            {...VERBATIM}
            rows={4}
            required
            placeholder="eyJ…"
            value={key}
            onChange={({ target }) => setKey(target.value)}
          />
        )}
      </FormField>
      <FormField label={t('device.label')} isCode>
        {(control) => (
          <input
            {...control}
            {...VERBATIM}
            required
            value={device ?? hwid}
            onChange={({ target }) => setDevice(target.value)}
          />
        )}
      </FormField>
      <Button wide type="submit" disabled={isBusy}>
        {t('check.check')}
      </Button>
    </form>
  );
}
