import type { AppId } from '@app/contracts/key-system';
import { Button } from '@app/design-system/button';
import { LaunchLink } from '@app/design-system/launch';
import { Notice } from '@app/design-system/notice';
import { ApiError } from '@app/platform';
import { t } from '../../words.ts';
import { addressOf } from '../device/app-address.ts';
import { Asks } from './asks.tsx';
import { CompleteLink } from './complete-link.tsx';
import { OpenStep } from './open-step.tsx';
import { OtherZone } from './other-zone.tsx';
import { StandingNotice } from './standing-notice.tsx';
import type { CurrentStepProps } from './step-props.ts';

/** The step that the run stands at: what it asks for, or why one cannot go on with it. */
export function CurrentStep(props: CurrentStepProps) {
  const { reading, app, step, of, visitor, reload } = props;
  const { hwid, zone } = visitor;

  if (reading.status === 'failed') return <UnreadableStep app={app} step={step} error={reading.error} onRetry={reload} />;
  if (reading.status === 'ready' && !reading.state.cooldown && reading.state.run?.zone === 'other' && hwid) {
    return <OtherZone {...props} device={{ hwid, zone: zone ?? '' }} isWaiting={reading.state.run.waiting} />;
  }
  if (reading.status === 'loading' || !reading.state.cooldown) return <OpenStep {...props} />;

  return (
    <Asks app={app} step={step} action={<CompleteLink step={step} of={of} />}>
      <StandingNotice standing={reading.state.cooldown} serverOffsetMs={reading.serverOffsetMs} onEnd={reload} />
    </Asks>
  );
}

function UnreadableStep({ app, step, error, onRetry }: { app: AppId; step: number; error: unknown; onRetry: () => void }) {
  const isRefused = error instanceof ApiError && !error.retryable;
  const action = isRefused ? (
    <LaunchLink {...addressOf(app)}>{t('device.openApp')}</LaunchLink>
  ) : (
    <Button wide onClick={onRetry}>
      {t('run.tryAgain')}
    </Button>
  );

  return (
    <Asks app={app} step={step} action={action}>
      <Notice kind="warning" title={isRefused ? error.message : t('run.unreadable')}>
        {isRefused ? t('run.openAgain') : t('run.nothingLost')}
      </Notice>
    </Asks>
  );
}
