import { late } from '@app/brand-ui/late';
import { PAGES } from '@app/contracts/pages';
import { PLANS } from '@app/contracts/plans';
import { Button, buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { shorten } from '@app/design-system/shorten';
import { type Device, Link } from '@app/platform';
import { useId, useState } from 'react';
import { momentOf } from '../../moment.ts';
import css from './plan-device.module.css';
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
        <div className={css.options}>
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

/** Says which plan the device has now, and what can be done. It keeps the space for its longest words from the start. */
function PlanStatusLine({ status }: { status: PlanStatus }) {
  const { what, next } = wordsOf(status);

  return (
    <div className={css.status} role="status" data-is={status.is}>
      <p key={what} className={css.what}>
        {what}
      </p>
      {next && <p>{next}</p>}
    </div>
  );
}

function wordsOf(status: PlanStatus): { what: string; next?: string } {
  if (status.is === 'asking') return { what: t('status.asking') };
  if (status.is !== 'running') return { what: t(`status.${status.is}`), next: t(`status.${status.is}.next`) };

  const { id, until, renewable, renewableFrom, serverOffsetMs } = status.plan;
  const plan = PLANS.find((one) => one.id === id)?.name ?? id;
  return {
    what: t('status.runs', { plan, ...momentOf(until, serverOffsetMs) }),
    next: renewable ? t('status.renewable') : t('status.later', momentOf(renewableFrom, serverOffsetMs)),
  };
}
