import { ApiError, fetchJson, isTimeout, postJson } from '@app/platform';
import { EmailForm, invalidEmailAnswer, timeoutAnswer, type EmailAnswer } from '../../email-form.tsx';
import { formatLimit } from '../../say-limit.ts';
import { t } from './words.ts';

/** For visitors who have a plan already: the server mails a link that adds this device to it. */
export function ClaimForm({ hwid }: { hwid: string }) {
  return (
    <EmailForm
      isQuiet
      words={{
        label: t('claim.label'),
        hint: t('claim.hint'),
        placeholder: t('claim.placeholder'),
        send: t('claim.send'),
        sending: t('claim.sending'),
      }}
      send={(email) => claimPlan(email, hwid)}
    />
  );
}

/**
 * Asks the server to mail a link that adds a device to the plan of an address. The answer does not reveal whether the
 * address has one. It never rejects: a failure is an answer with a text.
 */
async function claimPlan(email: string, hwid: string): Promise<EmailAnswer> {
  try {
    await fetchJson('/api/claim-plan', postJson({ email, hwid }));
    return { kind: 'ok', text: t('claim.done') };
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): EmailAnswer {
  if (isTimeout(error)) return timeoutAnswer();
  if (error instanceof ApiError && error.code === 'request.invalid') return invalidEmailAnswer();
  if (error instanceof ApiError && error.code === 'KS_LIMIT')
    return { kind: 'failed', text: formatLimit(error.retryAt) };

  return { kind: 'failed', text: t(error instanceof ApiError ? 'claim.ours' : 'claim.failed') };
}
