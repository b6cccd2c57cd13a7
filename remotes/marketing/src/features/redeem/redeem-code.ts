import { HWID_PATTERN } from '@app/contracts/key-system';
import { redeemedSchema } from '@app/contracts/till';
import { ApiError, callApi, postJson } from '@app/platform';
import { isEmail } from '../../is-email.ts';
import { sayLimit } from '../../moments.ts';
import { t } from './words.ts';

/** What the visitor has typed. */
export interface Draft {
  code: string;
  email: string;
  hwid: string;
}

/** What is wrong, by field. `error`: the value of the field is wrong · `failed`: it may be right. */
export type Refusals = Partial<Record<keyof Draft, { kind: 'error' | 'failed'; text: string }>>;

/** Finds every value that cannot be right. The server checks them again. */
export function findMistakes({ code, email, hwid }: Draft): Refusals {
  return {
    ...(code.trim() === '' && { code: { kind: 'error', text: t('redeem.code.none') } }),
    ...(!isEmail(email.trim()) && { email: { kind: 'error', text: t('redeem.email.wrong') } }),
    ...(!HWID_PATTERN.test(hwid.trim()) && { hwid: { kind: 'error', text: t('redeem.device.wrong') } }),
  };
}

/**
 * Redeems a code. It never rejects.
 * @returns `failed` when the failure is on our side, or no answer came
 */
export async function redeemCode({ code, email, hwid }: Draft): Promise<'redeemed' | 'failed' | Refusals> {
  const body = { code: code.trim(), email: email.trim(), hwid: hwid.trim() };
  try {
    await callApi(redeemedSchema, '/api/redeem', postJson(body));
    return 'redeemed';
  } catch (error) {
    return (error instanceof ApiError && explain(error)) || 'failed';
  }
}

/** The text for a refusal, at the field that it is about. Undefined for a failure on our side. */
function explain({ code, retryAt }: ApiError): Refusals | undefined {
  switch (code) {
    case 'RDM_CODE':
    case 'RDM_USED':
    case 'RDM_REVOKED':
      return { code: { kind: 'error', text: t(`redeem.${code}`) } };
    case 'KS_HWID':
      return { hwid: { kind: 'error', text: t('redeem.device.wrong') } };
    case 'KS_LIMIT':
      return { code: { kind: 'failed', text: sayLimit(retryAt) } };
    case 'request.invalid':
      return { code: { kind: 'failed', text: t('redeem.unread') } };
    default:
      return undefined;
  }
}
