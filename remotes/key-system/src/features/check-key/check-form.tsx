import { Button } from '@app/design-system/button';
import { useId, useState, type FormEvent } from 'react';
import { t } from '../../words.ts';
import css from './check-form.module.css';
import type { KeyToCheck } from './check-key.ts';

interface CheckFormProps {
  /** The device that the address names. */
  hwid: string;
  isBusy: boolean;
  /** Called when what was checked is no longer what stands there. */
  onEdit: () => void;
  onCheck: (toCheck: KeyToCheck) => void;
}

/** A key and the device that it should be for. Neither goes into the address. */
export function CheckForm({ hwid, isBusy, onEdit, onCheck }: CheckFormProps) {
  const [key, setKey] = useState('');
  const [device, setDevice] = useState<string>();
  const id = useId();
  const toCheck = { key: key.replaceAll(/\s/g, ''), hwid: (device ?? hwid).trim() };

  function submit(event: FormEvent) {
    event.preventDefault();
    onCheck(toCheck);
  }

  return (
    <form className={css.form} onSubmit={submit} onInput={onEdit}>
      <div className={css.field}>
        <label className={css.label} htmlFor={`${id}-key`}>
          {t('check.key')}
        </label>
        <textarea
          id={`${id}-key`}
          className={css.text}
          rows={4}
          required
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder="eyJ…"
          value={key}
          onChange={({ target }) => setKey(target.value)}
        />
      </div>
      <div className={css.field}>
        <label className={css.label} htmlFor={`${id}-device`}>
          {t('device.label')}
        </label>
        <input
          id={`${id}-device`}
          className={css.text}
          required
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={device ?? hwid}
          onChange={({ target }) => setDevice(target.value)}
        />
      </div>
      <Button wide type="submit" disabled={isBusy}>
        {t('check.check')}
      </Button>
    </form>
  );
}
