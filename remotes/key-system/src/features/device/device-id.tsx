import { CopyField } from '@app/design-system/copy-field';
import { useKnownDevice } from '@app/platform';
import { t } from '../../words.ts';
import { NoDevice } from './no-device.tsx';
import css from './device-id.module.css';

/** Shows the device of the address, shortened, with a button that copies it whole. Without one, a detail says `null`. */
export function DeviceId({ hwid }: { hwid: string | undefined }) {
  const isNamed = useKnownDevice() !== 'none';

  return (
    <div className={css.device}>{isNamed ? <CopyField label={t('device.label')} value={hwid} /> : <NoDevice />}</div>
  );
}
