import type { OperatingSystem } from '@app/contracts/key-system';
import { SystemIcon } from '@app/brand-ui/system-icon';
import { t } from '../../words.ts';
import css from './platform-icon.module.css';

/** The icon and the name of the visitor's operating system. */
export function PlatformIcon({ os }: { os: OperatingSystem }) {
  return (
    <span className={css.platform} data-os={os}>
      <SystemIcon system={os} size={18} />
      {t(`device.os.${os}`)}
    </span>
  );
}
