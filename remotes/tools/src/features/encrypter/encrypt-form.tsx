import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import { useState } from 'react';
import { t } from '../../words.ts';
import css from './encrypt-form.module.css';
import { useEncrypter, type Outcome } from './use-encrypter.ts';

const OUTCOMES = {
  copied: 'encrypter.copied',
  notCopied: 'encrypter.notCopied',
  notEncrypted: 'encrypter.notEncrypted',
} as const satisfies Record<Outcome, string>;

/** A form that encrypts a script and copies the result to the clipboard. It sends nothing to the server. */
export function EncryptForm() {
  const [text, setText] = useState('');
  const { result, outcome, run, forget } = useEncrypter();

  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        run(text);
      }}
    >
      <FormField label={t('encrypter.text')} isCode>
        {(control) => (
          <textarea
            {...control}
            rows={8}
            required
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            placeholder={t('encrypter.example')}
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              forget();
            }}
          />
        )}
      </FormField>
      <div className={css.action}>
        <Button type="submit">{t('encrypter.go')}</Button>
        <div className={css.words}>
          <p className={css.note} data-covered={outcome !== undefined}>
            {t('encrypter.note')}
          </p>
          <p role="status" className={css.outcome} data-outcome={outcome}>
            {outcome && t(OUTCOMES[outcome])}
          </p>
        </div>
      </div>
      <FormField label={t('encrypter.result')} isCode>
        {(control) => (
          <textarea
            {...control}
            rows={5}
            readOnly
            placeholder={t('encrypter.empty')}
            value={result}
            onFocus={({ target }) => target.select()}
          />
        )}
      </FormField>
    </form>
  );
}
