import { Icon } from '@app/design-system/icon';
import { shorten } from '@app/design-system/shorten';
import { useDevice, useIsHydrated } from '@app/platform';
import css from './plan-device.module.css';
import { t } from './words.ts';

/**
 * Says which device a plan would be for. The address tells it, so the line is empty until hydration; its space is
 * reserved.
 */
export function PlanDevice() {
  const device = useDevice();

  return (
    <p className={css.device} data-known={device !== undefined}>
      {useIsHydrated() && (
        <>
          <Icon name={device ? 'check' : 'info'} />
          <span>
            {device ? t('plans.for') : t('plans.nobody')}{' '}
            {device && <code className={css.id}>{shorten(device.hwid)}</code>}
          </span>
        </>
      )}
    </p>
  );
}
