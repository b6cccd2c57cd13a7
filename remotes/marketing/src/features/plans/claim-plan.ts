import { ApiError, fetchJson, postJson } from '@app/platform';
import { sayLimit } from '../../say-limit.ts';
import { t as common } from '../../words.ts';
import { t } from './words.ts';

/** How a request for a link ended. `error`: the address is wrong · `failed`: the server did not take it. */
export interface ClaimAnswer {
  kind: 'ok' | 'error' | 'failed';
  text: string;
}

export const INVALID_EMAIL: ClaimAnswer = { kind: 'error', text: common('reset.invalid') };

/**
 * Asks the server to mail a link that adds a device to the plan of an address. The answer tells nobody whether the
 * address has one. It never rejects: a failure is an answer with a text.
 */
export async function claimPlan(email: string, hwid: string): Promise<ClaimAnswer> {
  try {
    await fetchJson('/api/claim-plan', postJson({ email, hwid }));
    return { kind: 'ok', text: t('claim.done') };
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): ClaimAnswer {
  if (error instanceof ApiError && error.code === 'request.invalid') return INVALID_EMAIL;
  if (error instanceof ApiError && error.code === 'KS_LIMIT') return { kind: 'failed', text: sayLimit(error.retryAt) };

  return { kind: 'failed', text: t(error instanceof ApiError ? 'claim.ours' : 'claim.failed') };
}
