import { redeemedSchema } from '@app/contracts/checkout';
import { HWID_PATTERN } from '@app/contracts/key-system';
import { PAGES } from '@app/contracts/pages';
import type { Plan } from '@app/contracts/plans';
import { readPasted, readWrapped } from '@app/contracts/read-pasted';
import { trimEmail } from '@app/contracts/trim-email';
import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import { ApiError, callApi, postJson, useIsHydrated, useKnownDevice, useNavigate, useVisitor } from '@app/platform';
import { type ChangeEvent, type ComponentType, createElement, type FormEvent, useState } from 'react';
import { formatLimit } from '../../say-limit.ts';
import { EMAIL_INPUT, isEmail } from '../../email-form.tsx';
import { lastRedeemed } from './last-redeemed.ts';
import css from './redeem-form.module.css';
import { t } from './words.ts';

const EMPTY_DRAFT: Draft = { code: '', email: '', hwid: '' };

/** Keeps the browser from changing a pasted text. */
const NO_AUTOCORRECT = { autoComplete: 'off', autoCapitalize: 'off', autoCorrect: 'off', spellCheck: false } as const;

/** A form that turns a reseller's code into a plan for a device. The device of the address, if any, cannot be edited. */
export function RedeemForm({ loadView }: { loadView: LoadView }) {
  const { hwid: known } = useVisitor();
  const isNamed = useKnownDevice() !== 'none';
  const isKnown = useIsHydrated() ? known !== undefined : isNamed;
  const [typed, setTyped] = useState(EMPTY_DRAFT);
  const [refusals, setRefusals] = useState<FieldErrors>({});
  const [isSending, setIsSending] = useState(false);
  const navigate = useNavigate();
  const draft = { ...typed, hwid: known ?? typed.hwid };

  function refuse(form: HTMLFormElement, found: FieldErrors) {
    setRefusals(found);
    form.querySelector<HTMLElement>(`[name=${Object.keys(found)[0]}]`)?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const mistakes = validateDraft(draft);
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
        {(control) => <input {...control} {...NO_AUTOCORRECT} {...bind('code')} placeholder="A0B1C2-D3E4F5-…" />}
      </FormField>
      <FormField label={t('redeem.email')} message={messageOf('email', t('redeem.email.hint'))}>
        {(control) => <input {...control} {...bind('email')} {...EMAIL_INPUT} />}
      </FormField>
      <FormField
        label={t('redeem.device')}
        isCode
        message={messageOf('hwid', isKnown ? t('redeem.device.known') : t('redeem.device.where'))}
      >
        {(control) => <input {...control} {...NO_AUTOCORRECT} {...bind('hwid')} readOnly={isKnown} />}
      </FormField>
      <Button wide type="submit" disabled={isSending}>
        {isSending ? t('redeem.sending') : t('redeem.go')}
      </Button>
    </form>
  );
}

interface Draft {
  code: string;
  email: string;
  hwid: string;
}

/** What is wrong, by field. `error`: the value of the field is wrong · `failed`: it may be right. */
type FieldErrors = { [Field in keyof Draft]?: { kind: 'error' | 'failed'; text: string } | undefined };

const MAX_CODE_LENGTH = 64;

function invalidDeviceError() {
  return { kind: 'error', text: t('redeem.device.wrong', { where: t('redeem.device.where') }) } as const;
}

/** Finds every value that cannot be right. The server checks them again. */
function validateDraft({ code, email, hwid }: Draft): FieldErrors {
  const letters = readWrapped(code);

  return {
    ...(letters === '' && { code: { kind: 'error', text: t('redeem.code.none') } }),
    ...(letters.length > MAX_CODE_LENGTH && { code: { kind: 'error', text: t('redeem.RDM_CODE') } }),
    ...(!isEmail(trimEmail(email)) && { email: { kind: 'error', text: t('redeem.email.wrong') } }),
    ...(!HWID_PATTERN.test(readPasted(hwid)) && { hwid: invalidDeviceError() }),
  };
}

export interface RedeemedPlan {
  plan: Plan['id'];
  /** When the plan ends, in epoch milliseconds by the server's clock. */
  until: number;
  /** The server's clock minus this device's, in milliseconds. */
  serverOffsetMs: number;
}

/** Loads what says of a redeemed code what it gave. Without it the next page says only that all is well. */
type LoadView = () => Promise<{ CodeRedeemed: ComponentType<RedeemedPlan> }>;

/** Redeems a code, and keeps for the next page what it gave. It never rejects. */
async function redeemCode({ code, email, hwid }: Draft, loadView: LoadView): Promise<'redeemed' | FieldErrors> {
  const body = { code: readWrapped(code), email: trimEmail(email), hwid: readPasted(hwid) };
  const view = loadView().catch(() => undefined);
  try {
    const { plan, until, now } = await callApi(redeemedSchema, '/api/redeem', postJson(body));
    const props = { plan, until, serverOffsetMs: now - Date.now() };
    const { CodeRedeemed } = (await view) ?? {};
    if (CodeRedeemed) lastRedeemed.page = createElement(CodeRedeemed, props);
    return 'redeemed';
  } catch (error) {
    // After a failure on our side it is unknown whether the code was taken. Sending it again gives the same answer.
    return (error instanceof ApiError && explain(error)) || { code: { kind: 'failed', text: t('redeem.failed') } };
  }
}

/** The text for a refusal, at the field that it is about. Undefined for a failure on our side. */
function explain({ code, retryAt }: ApiError): FieldErrors | undefined {
  if (code === 'KS_HWID') return { hwid: invalidDeviceError() };
  if (code === 'KS_LIMIT') return { code: { kind: 'failed', text: formatLimit(retryAt) } };
  if (code === 'request.invalid') return { code: { kind: 'failed', text: t('redeem.unread') } };
  if (code === 'RDM_CODE' || code === 'RDM_USED' || code === 'RDM_REVOKED')
    return { code: { kind: 'error', text: t(`redeem.${code}`) } };

  return undefined;
}
