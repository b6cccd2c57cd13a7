import { DeviceFrame } from '@app/brand-ui/device-frame';
import screen from '@app/brand-ui/device/neo-screen.svg?raw';
import { t } from '../features/neo-story/words.ts';

export { NeoFeatures } from '../features/neo-story/neo-features.tsx';
export { NeoHow } from '../features/neo-story/neo-how.tsx';

/** NEO on a phone. */
export function NeoDevice() {
  return <DeviceFrame variant="neo" label={t('neo.device')} hero screen={screen} />;
}
