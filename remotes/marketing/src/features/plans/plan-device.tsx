import { lazyPart } from '@app/brand-ui/late';
import { PAGES } from '@app/contracts/pages';
import { PLANS } from '@app/contracts/plans';
import { Button, buttonClass } from '@app/design-system/button';
import { Card } from '@app/design-system/card';
import { Icon } from '@app/design-system/icon';
import { shorten } from '@app/design-system/shorten';
import texts from '@app/design-system/text.module.css';
import { type Device, Link } from '@app/platform';
import { useId, useState } from 'react';
import { PhoneSteps } from '../../art/phone-steps.tsx';
import { formatDate } from '../../date.ts';
import css from './plan-device.module.css';
import type { PlanStatus } from './use-plan-status.ts';
import { t } from './words.ts';

// It comes before it is asked for: then the connection may be gone.
const ClaimForm = lazyPart(async () => (await import('./claim-form.tsx')).ClaimForm);

interface PlanDeviceProps {
  device: Device | undefined;
  status: PlanStatus;
}

/** Keeps the line of the device, which is not known in the first render. */
const BLANK_LINE = '\u00a0';

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
      {/* Without JavaScript it would look indefinitely for the plan of a device that it does not know. */}
      <div className={css.panel} data-needs-script>
        <p className={css.device}>
          <Icon name="check" />
          <span>{t('plans.for')}</span>
          <code className={css.id}>{device ? shorten(device.hwid) : BLANK_LINE}</code>
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
function CodeLink() {
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
      <p key={what} className={css.summary}>
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
    what: t('status.runs', { plan, ...formatDate(until, serverOffsetMs) }),
    next: renewable ? t('status.renewable') : t('status.later', formatDate(renewableFrom, serverOffsetMs)),
  };
}

export const PLAN_START = 'start';

const STEPS = ['open', 'tap', 'choose'] as const;

/** For visitors without a device: how one begins in the app, in three pictures, and what else can be done here. */
export function PlanStart() {
  return (
    <div id={PLAN_START} className={css.start}>
      <Card label={t('plans.start.heading')}>
        <h2 className={css.heading}>{t('plans.start.heading')}</h2>
        <p className={texts.quiet}>{t('plans.noDevice')}</p>
        <PhoneSteps isWide steps={STEPS.map((phone) => ({ phone, text: t(`plans.start.${phone}`) }))} />
        <div>
          <CodeLink />
        </div>
      </Card>
    </div>
  );
}
