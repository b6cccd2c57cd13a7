import type { OperatingSystem } from '@app/contracts/key-system';
import { Icon, type IconName } from '@app/design-system/icon';
import { t } from '../../words.ts';
import css from './platform-icon.module.css';

const ICONS: Record<OperatingSystem, IconName> = {
  android: 'android',
  android_vng: 'android',
  ios: 'apple',
  windows: 'windows',
};

/** The mark and the name of the system that the visitor is on. */
export function PlatformIcon({ os }: { os: OperatingSystem }) {
  return (
    <span className={css.platform} data-os={os}>
      <Icon name={ICONS[os]} size={18} />
      {t(`device.os.${os}`)}
    </span>
  );
}
