import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import { useState, type FormEvent } from 'react';
import { enterAccess, messageOf } from './qa-calls.ts';
import css from './qa.module.css';
import { t } from './words.ts';

/** Asks for the access key. It never becomes part of an address. */
export function AccessForm({ onEntered }: { onEntered: () => void }) {
  const [key, setKey] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setIsBusy(true);
    try {
      await enterAccess(key.trim());
      onEntered();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <form className={css.access} onSubmit={(event) => void submit(event)}>
      <FormField
        label={t('access.label')}
        isCode
        message={problem === undefined ? { kind: 'hint', text: t('access.hint') } : { kind: 'error', text: problem }}
        action={
          <Button type="submit" disabled={isBusy}>
            {t('access.enter')}
          </Button>
        }
      >
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="current-password"
            required
            value={key}
            onChange={({ target }) => {
              setKey(target.value);
              setProblem(undefined);
            }}
          />
        )}
      </FormField>
    </form>
  );
}
