import { DeviceFrame } from '@app/brand-ui/device-frame';
import screen from '@app/brand-ui/device/companion-screen.svg?raw';
import { COMPANION } from '@app/contracts/brand';
import { t } from '../../words.ts';

export function IntroDevice() {
  return <DeviceFrame variant="companion" hero label={t('intro.device', { app: COMPANION.label })} screen={screen} />;
}
