import { ApiError, fetchJson, postJson } from '@app/platform';

/** How a request for a link ended. `sent` tells nobody whether the address has a plan. */
export type ClaimAnswer = 'sent' | 'invalid' | 'limited' | 'failed';

/** Asks the server to mail a link that adds a device to the plan of an address. It never rejects. */
export async function claimPlan(email: string, hwid: string): Promise<ClaimAnswer> {
  try {
    await fetchJson('/api/claim-plan', postJson({ email, hwid }));
    return 'sent';
  } catch (error) {
    if (!(error instanceof ApiError)) return 'failed';
    if (error.code === 'request.invalid') return 'invalid';
    return error.code === 'KS_LIMIT' ? 'limited' : 'failed';
  }
}
