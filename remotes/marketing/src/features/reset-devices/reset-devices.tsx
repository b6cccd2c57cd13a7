import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import { Section } from '@app/design-system/section';
import { useState, type FormEvent } from 'react';
import { isEmail } from '../../is-email.ts';
import { t } from '../../words.ts';
import { INVALID_EMAIL, requestReset, type ResetAnswer } from './request-reset.ts';
import css from './reset-devices.module.css';

type State = { status: 'idle' } | { status: 'sending' } | ({ status: 'answered' } & ResetAnswer);

/** A form for visitors with a new phone: the server sends a link that removes old devices from the licence. */
export function ResetDevices() {
  const [email, setEmail] = useState('');
  const [state, setState] = useState<State>({ status: 'idle' });
  const isSending = state.status === 'sending';

  async function submit(event: FormEvent) {
    event.preventDefault();
    const trimmed = email.trim();
    if (!isEmail(trimmed)) return setState({ status: 'answered', ...INVALID_EMAIL });

    setState({ status: 'sending' });
    setState({ status: 'answered', ...(await requestReset(trimmed)) });
  }

  return (
    <Section id="reset" heading={t('reset.heading')} lead={t('reset.lead')} layout="beside">
      <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <FormField
          label={t('reset.label')}
          message={messageOf(state)}
          action={
            <Button type="submit" disabled={isSending}>
              {isSending ? t('reset.sending') : t('reset.send')}
            </Button>
          }
        >
          {(control) => (
            <input
              {...control}
              type="email"
              inputMode="email"
              autoComplete="email"
              placeholder={t('reset.placeholder')}
              value={email}
              onChange={({ target }) => {
                setEmail(target.value);
                // The answer was for the address before the edit.
                if (state.status === 'answered') setState({ status: 'idle' });
              }}
            />
          )}
        </FormField>
      </form>
    </Section>
  );
}

function messageOf(state: State): { kind: 'hint' | ResetAnswer['kind']; text: string } {
  return state.status === 'answered'
    ? { kind: state.kind, text: state.words }
    : { kind: 'hint', text: t('reset.hint') };
}
