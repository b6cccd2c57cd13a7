import { Button } from '@app/design-system/button';
import { copyText } from '@app/design-system/copy-text';
import { FormField } from '@app/design-system/form-field';
import { useEffect, useRef, useState } from 'react';
import textButton from '../../text-button.module.css';
import { t } from '../../words.ts';
import css from './encrypt-form.module.css';
import { encrypt } from './encrypt.ts';
import { HiddenScript } from './hidden-script.tsx';
import { useScrambled } from './use-scrambled.ts';

const OUTCOME_DURATION_MS = 3000;

const SAMPLE = 'local me = game.Players.LocalPlayer\nprint("hello, " .. me.Name)';

export function EncryptForm() {
  const [text, setText] = useState('');
  // It stays until the script changes, so that visitors can copy it by hand.
  const [result, setResult] = useState('');
  const [last, setLast] = useOutcome();
  const turns = useRef(0);
  const shown = useScrambled(result);

  function write(script: string) {
    setText(script);
    setResult('');
  }

  async function copy(encrypted: string | undefined) {
    const turn = ++turns.current;
    const outcome = encrypted === undefined ? 'notEncrypted' : (await copyText(encrypted)) ? 'copied' : 'notCopied';
    // After two quick clicks only the outcome of the second one is shown.
    if (turn === turns.current) setLast({ outcome });
  }

  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        const encrypted = tryToEncrypt(text);
        setResult(encrypted ?? '');
        void copy(encrypted);
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
        <button type="button" className={`${css.sample} ${textButton.button}`} onClick={() => write(SAMPLE)}>
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
        <div className={css.actions}>
          {result && (
            <Button kind="quiet" onClick={() => void copy(result)}>
              {t('encrypter.again')}
            </Button>
          )}
          <div className={css.messages}>
            {result && (
              <p className={css.sizes} data-covered={last !== undefined}>
                {t('encrypter.sizes', { from: text.length, to: result.length })}
              </p>
            )}
            <p role="status" className={css.outcome} data-outcome={last?.outcome}>
              {last && t(`encrypter.${last.outcome}`)}
            </p>
          </div>
        </div>
      </div>
      <div className={css.note}>
        <HiddenScript />
        <p>{t('encrypter.note')}</p>
      </div>
    </form>
  );
}

/** What became of the last try, for three seconds. */
function useOutcome() {
  const [last, setLast] = useState<{ outcome: 'copied' | 'notCopied' | 'notEncrypted' }>();

  useEffect(() => {
    if (!last) return;

    const timer = setTimeout(() => setLast(undefined), OUTCOME_DURATION_MS);
    return () => clearTimeout(timer);
  }, [last]);

  return [last, setLast] as const;
}

function tryToEncrypt(text: string): string | undefined {
  try {
    return encrypt(text);
  } catch {
    return undefined;
  }
}
