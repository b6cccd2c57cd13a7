import { DeviceFrame } from '@app/brand-ui/device-frame';
import { CompanionScreen } from '@app/brand-ui/device/companion-screen';
import { COMPANION } from '@app/contracts/brand';
import { t } from '../../words.ts';

/** The app on a phone. */
export function IntroDevice() {
  return (
    <DeviceFrame variant="companion" hero label={t('intro.device', { app: COMPANION.label })}>
      <CompanionScreen />
    </DeviceFrame>
  );
}
