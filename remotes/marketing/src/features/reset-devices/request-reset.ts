import { postJson } from '@app/platform';
import { t } from '../../words.ts';

export interface ResetAnswer {
  isDone: boolean;
  words: string;
}

/** One @ with a name before it and a host after it; the server looks more closely. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const INVALID_EMAIL: ResetAnswer = { isDone: false, words: t('reset.invalid') };

export function isEmail(text: string): boolean {
  return EMAIL.test(text);
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

/** What the server's plain text means to a visitor. */
export function explainRefusal(body: string): string {
  switch (body.trim()) {
    case 'No active subscriptions or licenses.':
      return t('reset.none');
    case INVALID_EMAIL.words:
      return INVALID_EMAIL.words;
    default:
      return t('reset.failed');
  }
}
