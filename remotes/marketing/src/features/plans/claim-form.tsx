import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import { useState, type FormEvent } from 'react';
import { isEmail } from '../../is-email.ts';
import { claimPlan, INVALID_EMAIL, type ClaimAnswer } from './claim-plan.ts';
import { t } from './words.ts';

type State = 'idle' | 'sending' | ClaimAnswer;

/** A form for those who have a plan already: the server mails a link that adds this device to it. */
export function ClaimForm({ hwid }: { hwid: string }) {
  const [email, setEmail] = useState('');
  const [state, setState] = useState<State>('idle');
  const isSending = state === 'sending';

  async function submit(event: FormEvent) {
    event.preventDefault();
    const trimmed = email.trim();
    if (isSending) return;
    if (!isEmail(trimmed)) return setState(INVALID_EMAIL);

    setState('sending');
    setState(await claimPlan(trimmed, hwid));
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <FormField
        label={t('claim.label')}
        message={typeof state === 'string' ? { kind: 'hint', text: t('claim.hint') } : state}
        action={
          <Button type="submit" disabled={isSending}>
            {t(isSending ? 'claim.sending' : 'claim.send')}
          </Button>
        }
      >
        {(control) => (
          <input
            {...control}
            type="email"
            inputMode="email"
            autoComplete="email"
            placeholder={t('claim.placeholder')}
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
