import type { OperatingSystem } from '@app/contracts/key-system';
import { Icon, type IconName } from '@app/design-system/icon';

const ICONS: Record<OperatingSystem, IconName> = { android: 'android', android_vng: 'android', ios: 'apple', windows: 'windows' };

/** The mark of the visitor's operating system; every one has the same size, so that finding out moves nothing. */
export function PlatformIcon({ os }: { os: OperatingSystem }) {
  return (
    <span data-os={os}>
      <Icon name={ICONS[os]} />
    </span>
  );
}
