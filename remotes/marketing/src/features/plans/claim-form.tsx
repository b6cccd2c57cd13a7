import { EmailForm } from '../../email-form.tsx';
import { claimPlan } from './claim-plan.ts';
import { t } from './words.ts';

/** A form for those who have a plan already: the server mails a link that adds this device to it. */
export function ClaimForm({ hwid }: { hwid: string }) {
  return (
    <EmailForm
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
