import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import { useState } from 'react';
import { t } from '../../words.ts';
import css from './encrypt-form.module.css';
import { useEncrypter, type Outcome } from './use-encrypter.ts';
import { useScrambled } from './use-scrambled.ts';

const OUTCOMES = {
  copied: 'encrypter.copied',
  notCopied: 'encrypter.notCopied',
  notEncrypted: 'encrypter.notEncrypted',
} as const satisfies Record<Outcome, string>;

const SAMPLE = 'local me = game.Players.LocalPlayer\nprint("hello, " .. me.Name)';

/** A form that encrypts a script and copies the result to the clipboard. It sends nothing to the server. */
export function EncryptForm() {
  const [text, setText] = useState('');
  const { result, outcome, run, copyAgain, forget } = useEncrypter();
  const shown = useScrambled(result);

  function write(script: string) {
    setText(script);
    forget();
  }

  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        run(text);
      }}
    >
      <div className={css.script}>
        <FormField label={t('encrypter.text')} isCode>
          {(control) => (
            <textarea
              {...control}
              rows={6}
              required
              placeholder={SAMPLE}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              value={text}
              onChange={({ target }) => write(target.value)}
            />
          )}
        </FormField>
        <button type="button" className={css.try} onClick={() => write(SAMPLE)}>
          {t('encrypter.sample')}
        </button>
      </div>
      <Button type="submit">{t('encrypter.go')}</Button>
      <div className={css.result} data-empty={result === ''}>
        <FormField label={t('encrypter.result')} isCode>
          {(control) => (
            <textarea
              {...control}
              rows={result ? 4 : 1}
              readOnly
              placeholder={t('encrypter.empty')}
              value={shown}
              onFocus={({ target }) => target.select()}
            />
          )}
        </FormField>
        <div className={css.after}>
          {result && (
            <Button kind="quiet" onClick={copyAgain}>
              {t('encrypter.again')}
            </Button>
          )}
          <div className={css.words}>
            {result && (
              <p className={css.sizes} data-covered={outcome !== undefined}>
                {t('encrypter.sizes', { from: text.length, to: result.length })}
              </p>
            )}
            <p role="status" className={css.outcome} data-outcome={outcome}>
              {outcome && t(OUTCOMES[outcome])}
            </p>
          </div>
        </div>
      </div>
      <p className={css.note}>{t('encrypter.note')}</p>
    </form>
  );
}
