import type { OperatingSystem } from '@app/contracts/key-system';
import { SystemIcon } from '@app/brand-ui/system-icon';
import { useIsHydrated } from '@app/platform';
import { t } from '../../words.ts';
import css from './platform-icon.module.css';

/** The icon and the name of the visitor's operating system, which only the browser knows. */
export function PlatformIcon({ os }: { os: OperatingSystem }) {
  if (!useIsHydrated()) return <span>{t('run.unknown')}</span>;

  return (
    <span className={css.platform} data-os={os}>
      <SystemIcon system={os} size={18} />
      <span>{t(`device.os.${os}`)}</span>
    </span>
  );
}
