import { HWID_PATTERN } from '@app/contracts/key-system';
import { readPasted, readWrapped } from '@app/contracts/read-pasted';
import { redeemedSchema } from '@app/contracts/checkout';
import type { Plan } from '@app/contracts/plans';
import { trimEmail } from '@app/contracts/trim-email';
import { ApiError, callApi, postJson } from '@app/platform';
import { createElement, type ComponentType } from 'react';
import { isEmail } from '../../email-form.tsx';
import { sayLimit } from '../../say-limit.ts';
import { lastRedeemed } from './last-redeemed.ts';
import { t } from './words.ts';

export interface Draft {
  code: string;
  email: string;
  hwid: string;
}

/** What is wrong, by field. `error`: the value of the field is wrong · `failed`: it may be right. */
export type Refusals = { [Field in keyof Draft]?: { kind: 'error' | 'failed'; text: string } | undefined };

const LONGEST_CODE = 64;

function wrongDevice() {
  return { kind: 'error', text: t('redeem.device.wrong', { where: t('redeem.device.where') }) } as const;
}

/** Finds every value that cannot be right. The server checks them again. */
export function findMistakes({ code, email, hwid }: Draft): Refusals {
  const letters = readWrapped(code);

  return {
    ...(letters === '' && { code: { kind: 'error', text: t('redeem.code.none') } }),
    ...(letters.length > LONGEST_CODE && { code: { kind: 'error', text: t('redeem.RDM_CODE') } }),
    ...(!isEmail(trimEmail(email)) && { email: { kind: 'error', text: t('redeem.email.wrong') } }),
    ...(!HWID_PATTERN.test(readPasted(hwid)) && { hwid: wrongDevice() }),
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
export type LoadView = () => Promise<{ CodeRedeemed: ComponentType<RedeemedPlan> }>;

/** Redeems a code, and keeps for the next page what it gave. It never rejects. */
export async function redeemCode({ code, email, hwid }: Draft, loadView: LoadView): Promise<'redeemed' | Refusals> {
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
function explain({ code, retryAt }: ApiError): Refusals | undefined {
  if (code === 'KS_HWID') return { hwid: wrongDevice() };
  if (code === 'KS_LIMIT') return { code: { kind: 'failed', text: sayLimit(retryAt) } };
  if (code === 'request.invalid') return { code: { kind: 'failed', text: t('redeem.unread') } };
  if (code === 'RDM_CODE' || code === 'RDM_USED' || code === 'RDM_REVOKED')
    return { code: { kind: 'error', text: t(`redeem.${code}`) } };

  return undefined;
}
