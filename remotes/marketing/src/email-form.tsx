import { trimEmail } from '@app/contracts/trim-email';
import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import { type FormEvent, useState } from 'react';
import css from './email-form.module.css';
import { t } from './words.ts';

/** How a request ended. `error`: the address is wrong · `failed`: the server did not take it. */
export interface EmailAnswer {
  kind: 'ok' | 'error' | 'failed';
  text: string;
}

/**
 * A field for an address. In one of type `email` Chromium writes another domain than was typed: `strasse.example` for
 * `straße.example`, and without joiners.
 */
export const EMAIL_INPUT = {
  type: 'text',
  inputMode: 'email',
  autoComplete: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;

export function invalidEmailAnswer(): EmailAnswer {
  return { kind: 'error', text: t('reset.invalid') };
}

/** It is unknown whether the server has sent its mail. */
export function timeoutAnswer(): EmailAnswer {
  return { kind: 'failed', text: t('reset.noAnswer') };
}

interface EmailFormProps {
  /** The call that takes the form where the browser sends it itself. */
  action?: string;
  className?: string | undefined;
  words: Record<'label' | 'hint' | 'placeholder' | 'send' | 'sending', string>;
  /** Beside a more important button. */
  isQuiet?: boolean;
  /** Never rejects: a failure is an answer with a text. */
  send: (email: string) => Promise<EmailAnswer>;
}

/** A form that sends one address, and shows the answer in place of its hint. */
export function EmailForm({ action, className, words, isQuiet = false, send }: EmailFormProps) {
  const [email, setEmail] = useState('');
  const [state, setState] = useState<'idle' | 'sending' | EmailAnswer>('idle');
  const isSending = state === 'sending';
  const isSent = typeof state === 'object' && state.kind === 'ok';

  async function submit(event: FormEvent) {
    event.preventDefault();
    const trimmed = trimEmail(email);
    if (!isEmail(trimmed)) return setState(invalidEmailAnswer());

    setState('sending');
    setState(await send(trimmed));
  }

  return (
    <form
      {...(action && { method: 'post', action })}
      className={`${css.form} ${className ?? ''}`}
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <FormField
        label={words.label}
        message={typeof state === 'string' ? { kind: 'hint', text: words.hint } : state}
        action={
          <Button type="submit" kind={isQuiet ? 'quiet' : 'primary'} disabled={isSending || isSent}>
            {isSending ? words.sending : isSent ? t('email.sent') : words.send}
          </Button>
        }
      >
        {(control) => (
          <input
            {...control}
            {...EMAIL_INPUT}
            name="email"
            placeholder={words.placeholder}
            value={email}
            onChange={({ target }) => {
              setEmail(target.value);
              // The answer was for the address before the edit.
              if (!isSending) setState('idle');
            }}
          />
        )}
      </FormField>
    </form>
  );
}

/** Exactly one @, with a name before it and a host with a dot after it. */
const EMAIL = /^[^\s\p{Cc}@<>,;"]+@[^\s\p{Cc}@<>,;"]+\.[^\s\p{Cc}@<>,;"]+$/u;
const MAX_EMAIL_LENGTH = 254;

/** Whether a text looks like an e-mail address. The server checks it again. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}
