import { LaunchLink } from '@app/brand-ui/launch';
import type { AppId } from '@app/contracts/key-system';
import { Button } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { t } from '../../words.ts';
import { appLinks } from '../device/app-links.ts';
import { StepPrompt } from './step-prompt.tsx';
import { CompleteLink } from './complete-link.tsx';
import { GoOnAt } from '../wait/go-on-at.tsx';
import { OpenStep } from './open-step.tsx';
import { OtherZone } from './other-zone.tsx';
import { CooldownNotice } from './cooldown-notice.tsx';
import type { CurrentStepProps } from './step-props.ts';
import { useHeld } from '../wait/use-held.ts';
import type { RunReading } from './use-run-state.ts';

/** The current step of the run: what the visitor has to do, or why the step cannot go on. */
export function CurrentStep(props: CurrentStepProps) {
  const { reading, app, step, of, visitor, reload } = props;
  const { hwid, zone } = visitor;

  if (reading.status === 'failed') return <UnreadableStep app={app} step={step} failure={reading} onRetry={reload} />;
  if (reading.status === 'ready' && !reading.state.cooldown && reading.state.run?.zone === 'other' && hwid) {
    return <OtherZone {...props} device={{ hwid, zone: zone ?? '' }} isWaiting={reading.state.run.waiting} />;
  }
  if (reading.status === 'loading' || !reading.state.cooldown) return <OpenStep {...props} />;

  const { cooldown } = reading.state;
  return (
    <StepPrompt
      app={app}
      step={step}
      action={<CompleteLink step={step} of={of} />}
      isSkippable={cooldown.reason !== 'KS_BLOCKED'}
    >
      <CooldownNotice cooldown={cooldown} serverOffsetMs={reading.serverOffsetMs} onEnd={reload} />
    </StepPrompt>
  );
}

interface UnreadableStepProps {
  app: AppId;
  step: number;
  failure: Extract<RunReading, { status: 'failed' }>;
  onRetry: () => void;
}

function UnreadableStep({
  app,
  step,
  failure: { isReached, isRefused, isLimited, words, retryAt },
  onRetry,
}: UnreadableStepProps) {
  const [isHeld, release] = useHeld(retryAt);
  const next = isLimited ? 'refusal.KS_LIMIT.next' : isReached ? 'run.ours' : 'run.nothingLost';

  function goOn() {
    release();
    onRetry();
  }

  const action = isRefused ? (
    <LaunchLink {...appLinks(app)}>{t('device.openApp')}</LaunchLink>
  ) : (
    <Button wide disabled={isHeld} onClick={onRetry}>
      {t('run.tryAgain')}
    </Button>
  );

  return (
    <StepPrompt app={app} step={step} action={action}>
      <Notice kind="warning" title={isRefused ? words : t(isLimited ? 'refusal.KS_LIMIT.what' : 'run.unreadable')}>
        <span>{t(isRefused ? 'run.openAgain' : next)}</span>
        {retryAt !== undefined && <GoOnAt until={retryAt} isOver={!isHeld} onEnd={goOn} />}
      </Notice>
    </StepPrompt>
  );
}
