import { CopyField } from '@app/design-system/copy-field';
import { t } from '../../words.ts';
import css from './device-id.module.css';

/** The device that the key will be for, shortened, to copy whole; the word `null` when the address names none. */
export function DeviceId({ hwid }: { hwid: string | undefined }) {
  return (
    <div className={css.device}>
      {hwid ? (
        <CopyField label={t('device.label')} value={hwid} />
      ) : (
        <p className={css.none}>
          {t('device.label')} <code className={css.id}>{t('device.none')}</code>
        </p>
      )}
    </div>
  );
}
