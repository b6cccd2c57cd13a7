import { PAGES } from '@app/contracts/pages';
import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import { useIsHydrated, useKnownDevice, useNavigate, useVisitor } from '@app/platform';
import { useState, type ChangeEvent, type FormEvent } from 'react';
import { EMAIL_INPUT } from '../../email-form.tsx';
import { findMistakes, redeemCode, type Draft, type LoadView, type Refusals } from './redeem-code.ts';
import css from './redeem-form.module.css';
import { t } from './words.ts';

const EMPTY: Draft = { code: '', email: '', hwid: '' };

/** Keeps the browser from changing a pasted text. */
const VERBATIM = { autoComplete: 'off', autoCapitalize: 'off', autoCorrect: 'off', spellCheck: false } as const;

/** A form that turns a reseller's code into a plan for a device. The device of the address, if any, cannot be edited. */
export function RedeemForm({ loadView }: { loadView: LoadView }) {
  const { hwid: known } = useVisitor();
  const isNamed = useKnownDevice() !== 'none';
  const isKnown = useIsHydrated() ? known !== undefined : isNamed;
  const [typed, setTyped] = useState(EMPTY);
  const [refusals, setRefusals] = useState<Refusals>({});
  const [isSending, setIsSending] = useState(false);
  const navigate = useNavigate();
  const draft = { ...typed, hwid: known ?? typed.hwid };

  function refuse(form: HTMLFormElement, found: Refusals) {
    setRefusals(found);
    form.querySelector<HTMLElement>(`[name=${Object.keys(found)[0]}]`)?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const mistakes = findMistakes(draft);
    if (Object.keys(mistakes).length > 0) return refuse(form, mistakes);

    setRefusals({});
    setIsSending(true);
    const outcome = await redeemCode(draft, loadView);
    setIsSending(false);
    // A visitor who has left the page meanwhile is not led away from the next one.
    if (!form.isConnected) return;
    if (outcome !== 'redeemed') return refuse(form, outcome);
    navigate(PAGES.successV5);
  }

  /** The props that all three inputs share. An answer was for the value before the edit. */
  const bind = (name: keyof Draft) => ({
    name,
    value: draft[name],
    onChange({ target }: ChangeEvent<HTMLInputElement>) {
      setTyped({ ...typed, [name]: target.value });
      setRefusals({ ...refusals, [name]: undefined });
    },
  });
  const messageOf = (name: keyof Draft, hint: string) => refusals[name] ?? ({ kind: 'hint', text: hint } as const);

  return (
    <form method="post" action="/api/redeem" className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <FormField label={t('redeem.code')} isCode message={messageOf('code', t('redeem.code.hint'))}>
        {(control) => <input {...control} {...VERBATIM} {...bind('code')} placeholder="A0B1C2-D3E4F5-…" />}
      </FormField>
      <FormField label={t('redeem.email')} message={messageOf('email', t('redeem.email.hint'))}>
        {(control) => <input {...control} {...bind('email')} {...EMAIL_INPUT} />}
      </FormField>
      <FormField
        label={t('redeem.device')}
        isCode
        message={messageOf('hwid', isKnown ? t('redeem.device.known') : t('redeem.device.where'))}
      >
        {(control) => <input {...control} {...VERBATIM} {...bind('hwid')} readOnly={isKnown} />}
      </FormField>
      <Button wide type="submit" disabled={isSending}>
        {isSending ? t('redeem.sending') : t('redeem.go')}
      </Button>
    </form>
  );
}
