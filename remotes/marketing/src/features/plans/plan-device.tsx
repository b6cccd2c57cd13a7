import { Icon } from '@app/design-system/icon';
import { shorten } from '@app/design-system/shorten';
import { useDevice, useIsHydrated } from '@app/platform';
import css from './plan-device.module.css';
import { PlanStart } from './plan-start.tsx';
import { t } from './words.ts';

/** Says which device a plan would be for. Without a device it explains how one begins in the app. */
export function PlanDevice() {
  const device = useDevice();
  if (!useIsHydrated()) return null;
  if (!device) return <PlanStart />;

  return (
    <p className={css.device}>
      <Icon name="check" />
      <span>
        {t('plans.for')} <code className={css.id}>{shorten(device.hwid)}</code>
      </span>
    </p>
  );
}
