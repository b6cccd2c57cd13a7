import { DeviceFrame } from '@app/brand-ui/device-frame';
import screen from '@app/brand-ui/device/v5-screen.svg?raw';
import { t } from '../features/v5-story/words.ts';

export { Compare } from '../features/v5-story/compare.tsx';
export { HowItWorks } from '../features/v5-story/how-it-works.tsx';

/** V5 on a phone. */
export function V5Device() {
  return <DeviceFrame variant="v5" label={t('v5.device')} hero screen={screen} />;
}
