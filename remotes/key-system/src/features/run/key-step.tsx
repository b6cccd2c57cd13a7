import { LaunchLink } from '@app/brand-ui/launch';
import { isSpecified } from '@app/contracts/key-system';
import { Button } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { useVisitor } from '@app/platform';
import { useEffect, useRef, type RefObject } from 'react';
import { t } from '../../words.ts';
import { appLinks } from '../device/app-links.ts';
import { GoOnAt } from '../wait/go-on-at.tsx';
import { useHeld } from '../wait/use-held.ts';
import { CompleteLink } from './complete-link.tsx';
import { CooldownNotice } from './cooldown-notice.tsx';
import css from './key-step.module.css';
import { OpenStep } from './open-step.tsx';
import { OtherZone } from './other-zone.tsx';
import { StepList } from './step-list.tsx';
import { StepPrompt } from './step-prompt.tsx';
import { useStepState } from './step-state.ts';
import type { RunReading } from './use-run-state.ts';

/** The card of a run: all its steps, and what the current step asks for. */
export function KeyStep() {
  const { step, reading } = useStepState();
  const heading = useScrollToStep(step, reading.status === 'ready');

  return (
    <section className={css.card} aria-label={t('step.card')}>
      <StepList heading={heading}>
        <CurrentStep key={step} />
      </StepList>
    </section>
  );
}

/**
 * Scrolls to the current step and focuses its heading, once the server has answered. Does nothing on the first step,
 * which is at the top of the page, nor where the visitor has scrolled or chosen something before the page worked.
 * @returns the ref for the heading of the step
 */
function useScrollToStep(step: number, isKnown: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (!isKnown || step === 1 || scrollY > 0 || document.activeElement?.matches('main :is(a, input)')) return;

    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('li')?.scrollIntoView({ block: 'nearest' });
  }, [step, isKnown]);

  return heading;
}

/** What the visitor has to do in the current step, or why the step cannot go on. */
function CurrentStep() {
  const { reading, reload } = useStepState();
  const { hwid } = useVisitor();

  if (reading.status === 'failed') return <UnreadableStep failure={reading} />;
  if (reading.status === 'ready' && !reading.state.cooldown && reading.state.run?.zone === 'other' && hwid) {
    return <OtherZone hwid={hwid} isWaiting={reading.state.run.waiting} />;
  }
  if (reading.status === 'loading' || !reading.state.cooldown) return <OpenStep />;

  const {
    serverOffsetMs,
    state: { cooldown },
  } = reading;
  const { until } = cooldown;
  return (
    <StepPrompt action={<CompleteLink wait={until === null ? undefined : { until, serverOffsetMs, onEnd: reload }} />}>
      <CooldownNotice cooldown={cooldown} serverOffsetMs={serverOffsetMs} onEnd={reload} isBrief />
    </StepPrompt>
  );
}

function UnreadableStep({ failure }: { failure: Extract<RunReading, { status: 'failed' }> }) {
  const { isReached, isRefused, isLimited, words, retryAt } = failure;
  const { app, reload } = useStepState();
  const [isHeld, release] = useHeld(retryAt);
  const next = isLimited ? 'refusal.KS_LIMIT.next' : isReached ? 'run.ours' : 'run.nothingLost';

  function goOn() {
    release();
    reload();
  }

  // What opens a registered app is known only with its state.
  const action =
    isRefused && isSpecified(app) ? (
      <LaunchLink {...appLinks(app)}>{t('device.openApp')}</LaunchLink>
    ) : (
      <Button wide kind={isHeld ? 'quiet' : 'primary'} disabled={isHeld} onClick={reload}>
        {t('run.tryAgain')}
      </Button>
    );

  return (
    <StepPrompt action={action}>
      <Notice kind="warning" title={isRefused ? words : t(isLimited ? 'refusal.KS_LIMIT.what' : 'run.unreadable')}>
        <span>{t(isRefused ? 'run.openAgain' : next)}</span>
        {retryAt !== undefined && <GoOnAt until={retryAt} isOver={!isHeld} onEnd={goOn} />}
      </Notice>
    </StepPrompt>
  );
}
