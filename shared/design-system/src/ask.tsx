import { ask, type Question } from './ask-request.ts';
import { t } from './words.ts';

/** Asks for a yes or no. Escape and Cancel are a no. */
export function confirm(question: Pick<Question, 'title' | 'text'> & Partial<Question>): Promise<boolean> {
  return ask({ ok: t('ask.ok'), cancel: t('ask.cancel'), ...question }, window);
}

/** Says something that must be read before going on. */
export async function alert(words: { title: string; text: string; ok?: string }): Promise<void> {
  await ask({ ok: t('ask.ok'), ...words }, window);
}
