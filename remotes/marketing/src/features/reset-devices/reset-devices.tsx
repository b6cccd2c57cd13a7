import { Section } from '@app/design-system/section';
import { fetchInTime, isTimeout, postJson } from '@app/platform';
import { type EmailAnswer, EmailForm, timeoutAnswer } from '../../email-form.tsx';
import { t } from '../../words.ts';
import css from './reset-devices.module.css';

/** A form for visitors with a new phone: the server sends a link that removes old devices from the licence. */
export function ResetDevices() {
  return (
    <Section id="reset" heading={t('reset.heading')} lead={t('reset.lead')} layout="beside">
      <EmailForm
        action="/api/requestresetdevices"
        className={css.form}
        words={{
          label: t('reset.label'),
          hint: t('reset.hint'),
          placeholder: t('reset.placeholder'),
          send: t('reset.send'),
          sending: t('reset.sending'),
        }}
        send={requestReset}
      />
    </Section>
  );
}

/** Asks the server to send an email for the reset of devices. It never rejects: a failure is an answer with a text. */
async function requestReset(email: string): Promise<EmailAnswer> {
  try {
    return await fetchInTime('/api/requestresetdevices', postJson({ email }), async (response) =>
      response.ok
        ? { kind: 'ok', text: t('reset.done') }
        : { kind: 'failed', text: explainRefusal(await response.text()) },
    );
  } catch (error) {
    return isTimeout(error) ? timeoutAnswer() : { kind: 'failed', text: t('reset.failed') };
  }
}

/** The text for a refusal. One refusal has its own text, all others share one. */
export function explainRefusal(body: string): string {
  return body.trim() === 'No active subscriptions or licenses.' ? t('reset.none') : t('reset.failed');
}
