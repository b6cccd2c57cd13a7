import { postJson } from '@app/platform';
import { t } from '../../words.ts';

export interface ResetAnswer {
  isDone: boolean;
  words: string;
}

/** One @ with a name before it and a host after it. */
const EMAIL = /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+\.[^\s\p{Cc}@]+$/u;
const LONGEST_EMAIL = 254;

export const INVALID_EMAIL: ResetAnswer = { isDone: false, words: t('reset.invalid') };

export function isEmail(text: string): boolean {
  return text.length <= LONGEST_EMAIL && EMAIL.test(text);
}

/** Asks for a reset of the devices behind an address. Never rejects: every failure has words. */
export async function requestReset(email: string): Promise<ResetAnswer> {
  try {
    const response = await fetch('/api/requestresetdevices', postJson({ email }));
    if (response.ok) return { isDone: true, words: t('reset.done') };

    return { isDone: false, words: explainRefusal(await response.text()) };
  } catch {
    return { isDone: false, words: t('reset.failed') };
  }
}

/** What the server's plain text means to a visitor: one refusal has words of its own, every other the same. */
export function explainRefusal(body: string): string {
  return body.trim() === 'No active subscriptions or licenses.' ? t('reset.none') : t('reset.failed');
}
