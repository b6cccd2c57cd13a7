import { Button } from '@app/design-system/button';
import { Section } from '@app/design-system/section';
import { useId, useState, type FormEvent } from 'react';
import { t } from '../../words.ts';
import { INVALID_EMAIL, isEmail, requestReset, type ResetAnswer } from './request-reset.ts';
import css from './reset-devices.module.css';

type State = { status: 'idle' } | { status: 'sending' } | ({ status: 'answered' } & ResetAnswer);

/** For who has changed phones: a link to free the licence from the old ones, by e-mail. */
export function ResetDevices() {
  const [email, setEmail] = useState('');
  const [state, setState] = useState<State>({ status: 'idle' });
  const id = useId();
  const isRefused = state.status === 'answered' && !state.isDone;

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
        <label className={css.label} htmlFor={id}>
          {t('reset.label')}
        </label>
        <div className={css.row}>
          <input
            id={id}
            className={css.input}
            type="email"
            inputMode="email"
            autoComplete="email"
            placeholder={t('reset.placeholder')}
            value={email}
            aria-invalid={isRefused}
            aria-describedby={`${id}-answer`}
            onChange={({ target }) => setEmail(target.value)}
          />
          <Button type="submit" disabled={state.status === 'sending'}>
            {state.status === 'sending' ? t('reset.sending') : t('reset.send')}
          </Button>
        </div>
        <p
          id={`${id}-answer`}
          className={css.answer}
          role="status"
          data-kind={state.status === 'answered' ? (state.isDone ? 'done' : 'refused') : 'hint'}
        >
          {state.status === 'answered' ? state.words : t('reset.hint')}
        </p>
      </form>
    </Section>
  );
}
