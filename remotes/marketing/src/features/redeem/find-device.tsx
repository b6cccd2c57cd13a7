import { PhoneSteps } from '../../phone-steps.tsx';
import { t } from './words.ts';

/** Where to find the device ID: in two pictures of the phone. */
export function FindDevice() {
  return (
    <PhoneSteps
      heading={t('redeem.find')}
      steps={[
        { art: 'key', text: t('redeem.find.tap') },
        { art: 'id', text: t('redeem.find.copy') },
      ]}
    />
  );
}
