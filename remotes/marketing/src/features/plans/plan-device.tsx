import { Icon } from '@app/design-system/icon';
import { shorten } from '@app/design-system/shorten';
import { useIsHydrated, useVisitor } from '@app/platform';
import css from './plan-device.module.css';
import { t } from './words.ts';

/** Which device a plan would be for. Known from the address only, so the line is empty at first and keeps its room. */
export function PlanDevice() {
  const { hwid, zone } = useVisitor();
  const isKnown = hwid !== undefined && zone !== undefined;

  return (
    <p className={css.device} data-known={isKnown}>
      {useIsHydrated() && (
        <>
          <Icon name={isKnown ? 'check' : 'info'} />
          <span>
            {isKnown ? t('plans.for') : t('plans.nobody')} {isKnown && <code className={css.id}>{shorten(hwid)}</code>}
          </span>
        </>
      )}
    </p>
  );
}
