import { fetchInTime, isTimeout, postJson } from '@app/platform';
import { noAnswer, type EmailAnswer } from '../../email-form.tsx';
import { t } from '../../words.ts';

/** Asks the server to send an email for the reset of devices. It never rejects: a failure is an answer with a text. */
export async function requestReset(email: string): Promise<EmailAnswer> {
  try {
    return await fetchInTime('/api/requestresetdevices', postJson({ email }), async (response) =>
      response.ok
        ? { kind: 'ok', text: t('reset.done') }
        : { kind: 'failed', text: explainRefusal(await response.text()) },
    );
  } catch (error) {
    return isTimeout(error) ? noAnswer() : { kind: 'failed', text: t('reset.failed') };
  }
}

/** The text for a refusal. One refusal has its own text, all others share one. */
export function explainRefusal(body: string): string {
  return body.trim() === 'No active subscriptions or licenses.' ? t('reset.none') : t('reset.failed');
}
