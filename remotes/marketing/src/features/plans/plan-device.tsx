import { late } from '@app/brand-ui/late';
import { PAGES } from '@app/contracts/pages';
import { buttonClass, Button } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { shorten } from '@app/design-system/shorten';
import { Link, type Device } from '@app/platform';
import { useId, useState } from 'react';
import css from './plan-device.module.css';
import { PlanStatusLine } from './plan-status-line.tsx';
import type { PlanStatus } from './use-plan-status.ts';
import { t } from './words.ts';

// It comes before it is asked for: then the connection may be gone.
const ClaimForm = late(async () => (await import('./claim-form.tsx')).ClaimForm);

interface PlanDeviceProps {
  device: Device | undefined;
  status: PlanStatus;
}

/** Keeps the line of the device, which is not known in the first render. */
const NO_DEVICE_YET = '\u00a0';

/**
 * Says which device a plan would be for and which plan it has now, and leads those on who paid elsewhere: with a plan
 * of another device, or with a code.
 */
export function PlanDevice({ device, status }: PlanDeviceProps) {
  const [isClaiming, setIsClaiming] = useState(false);
  const formId = useId();

  return (
    <>
      <noscript className={css.bare}>
        <a className={buttonClass({ kind: 'quiet' })} href="/api/claim-plan">
          {t('plans.hasPlan')}
        </a>
      </noscript>
      <div className={css.panel}>
        <p className={css.device}>
          <Icon name="check" />
          <span>{t('plans.for')}</span>
          <code className={css.id}>{device ? shorten(device.hwid) : NO_DEVICE_YET}</code>
        </p>
        <PlanStatusLine status={status} />
        <div className={css.ways}>
          <Button
            kind="quiet"
            aria-expanded={isClaiming}
            aria-controls={formId}
            onClick={() => setIsClaiming((isOpen) => !isOpen)}
          >
            {t('plans.hasPlan')}
            {isClaiming && <Icon name="cross" size={16} />}
          </Button>
          <CodeLink />
        </div>
        <div id={formId} className={css.form} hidden={!isClaiming}>
          {device && <ClaimForm hwid={device.hwid} />}
        </div>
      </div>
    </>
  );
}

/** For visitors who have bought a code from a reseller. */
export function CodeLink() {
  return (
    <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.redeem}>
      {t('plans.hasCode')}
    </Link>
  );
}
