import { CopyField } from '@app/design-system/copy-field';
import { t } from '../../words.ts';
import css from './device-id.module.css';

/** Shows the device of the address, shortened, with a button that copies it whole. Shows `null` when there is none. */
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
