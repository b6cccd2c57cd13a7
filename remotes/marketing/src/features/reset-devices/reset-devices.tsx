import { Section } from '@app/design-system/section';
import { EmailForm } from '../../email-form.tsx';
import { t } from '../../words.ts';
import { requestReset } from './request-reset.ts';
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
