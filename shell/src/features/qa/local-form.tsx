import { SHELL } from '@app/contracts/unit';
import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import { useState, type FormEvent } from 'react';
import { readResolution } from '../../federation/resolution.ts';
import { endLocal, messageOf, putLocal } from './qa-calls.ts';
import css from './qa.module.css';
import { t } from './words.ts';

/** Lets one unit come from the computer of this browser, or ends that. */
export function LocalForm({ units }: { units: readonly string[] }) {
  const remotes = units.filter((unit) => unit !== SHELL);
  const { local } = readResolution().qa ?? {};
  const [unit, setUnit] = useState(remotes[0] ?? '');
  const [port, setPort] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function change(act: () => Promise<void>) {
    setIsBusy(true);
    try {
      await act();
      location.reload();
    } catch (error) {
      setProblem(messageOf(error));
      setIsBusy(false);
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void change(() => putLocal({ unit, port: Number(port) }));
  }

  return (
    <form className={css.local} aria-label={t('local.title')} onSubmit={submit}>
      <h3 className={css.name}>{t('local.title')}</h3>
      {local ? (
        <>
          <p className={css.quiet}>{t('local.is', { unit: local.unit, host: new URL(local.origin).host })}</p>
          <Button kind="quiet" disabled={isBusy} onClick={() => void change(endLocal)}>
            {t('local.end')}
          </Button>
        </>
      ) : (
        <>
          <select
            className={css.select}
            aria-label={t('local.unit')}
            value={unit}
            onChange={({ target }) => setUnit(target.value)}
          >
            {remotes.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <FormField
            label={t('local.port')}
            message={
              problem === undefined
                ? {
                    kind: 'hint',
                    text: t('local.hint', { command: `npm run dev … --against ${location.origin}` }),
                  }
                : { kind: 'error', text: problem }
            }
            action={
              <Button type="submit" kind="quiet" disabled={isBusy}>
                {t('local.use')}
              </Button>
            }
          >
            {(control) => (
              <input
                {...control}
                type="number"
                min={1024}
                max={65_535}
                required
                value={port}
                onChange={({ target }) => {
                  setPort(target.value);
                  setProblem(undefined);
                }}
              />
            )}
          </FormField>
        </>
      )}
    </form>
  );
}
