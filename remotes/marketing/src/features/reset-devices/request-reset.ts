import { postJson } from '@app/platform';
import { t } from '../../words.ts';

export interface ResetAnswer {
  /** `error`: the address is wrong · `failed`: the server could not do it. */
  kind: 'ok' | 'error' | 'failed';
  words: string;
}

export const INVALID_EMAIL: ResetAnswer = { kind: 'error', words: t('reset.invalid') };

/** Asks the server to send an e-mail for the reset of devices. It never rejects: a failure is an answer with a text. */
export async function requestReset(email: string): Promise<ResetAnswer> {
  try {
    const response = await fetch('/api/requestresetdevices', postJson({ email }));
    if (response.ok) return { kind: 'ok', words: t('reset.done') };

    return { kind: 'failed', words: explainRefusal(await response.text()) };
  } catch {
    return { kind: 'failed', words: t('reset.failed') };
  }
}

/** The text for a refusal. One refusal has its own text, all others share one. */
export function explainRefusal(body: string): string {
  return body.trim() === 'No active subscriptions or licenses.' ? t('reset.none') : t('reset.failed');
}
