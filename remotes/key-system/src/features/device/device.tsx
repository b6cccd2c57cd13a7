import { SystemIcon } from '@app/brand-ui/system-icon';
import type { OperatingSystem } from '@app/contracts/key-system';
import { CopyField } from '@app/design-system/copy-field';
import { useIsHydrated, useKnownDevice } from '@app/platform';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './device.module.css';

/** Shows the device of the address, shortened, with a button that copies it whole. Without one, a detail says so. */
export function DeviceId({ hwid }: { hwid: string | undefined }) {
  const isNamed = useKnownDevice() !== 'none';

  return (
    <div className={css.device}>{isNamed ? <CopyField label={t('device.label')} value={hwid} /> : <NoDevice />}</div>
  );
}

/** Says for those who help that the address names no device. Visitors need not open it. */
export function NoDevice({ children }: { children?: ReactNode }) {
  return (
    <details className={css.details}>
      <summary className={css.summary}>{t('device.details')}</summary>
      <p className={css.none}>
        <span>{t('device.label')}</span> <b>{t('device.none')}</b> {children}
      </p>
    </details>
  );
}

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
