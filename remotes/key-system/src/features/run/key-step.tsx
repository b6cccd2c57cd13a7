import { LeaveLink, useLeaving } from '@app/brand-ui/leave';
import { firstAdvertiser } from '@app/contracts/advertisers';
import { Button, buttonClass, ButtonRow } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { Link, useVisitor } from '@app/platform';
import { useEffect, useRef, type RefObject } from 'react';
import { t } from '../../words.ts';
import { useAsking } from '../wait/use-asking.ts';
import { ResumeAt, useDisabledUntil } from '../wait/resume-at.tsx';
import css from './refusals.module.css';
import { CompleteLink } from './complete-link.tsx';
import { OpenStep } from './open-step.tsx';
import { RefusalNotice, TimeoutNotice } from './refusals.tsx';
import { runAddress, stepLink } from './run-address.ts';
import type { RunFailure } from './run-state.ts';
import { StepList } from './step-list.tsx';
import { StepPrompt, useStepState, Waiting } from './step-prompt.tsx';

export function KeyStep() {
  const { step, reading } = useStepState();
  const heading = useScrollToStep(step, reading.state !== undefined);

  return (
    <StepList heading={heading}>
      <CurrentStep key={step} />
    </StepList>
  );
}

/**
 * Focuses the heading of the current step once the server has answered, and scrolls to it where it is not in sight. Does
 * nothing on the first step, nor where the visitor has scrolled or chosen something before the page worked.
 * @returns the ref for the heading of the step
 */
function useScrollToStep(step: number, isKnown: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (!isKnown || step === 1 || scrollY > 0 || document.activeElement?.matches('main :is(a, input)')) return;

    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, [step, isKnown]);

  return heading;
}

/** What the visitor has to do in the current step, or why the step cannot go on. */
function CurrentStep() {
  const { reading, reload } = useStepState();
  const { hwid } = useVisitor();
  const { state, failure, serverOffsetMs } = reading;

  if (failure) return <UnreadableStep {...failure} />;
  if (state && !state.cooldown && state.run?.zone === 'other' && hwid)
    return <OtherZone hwid={hwid} isWaiting={state.run.waiting} />;
  if (!state?.cooldown) return <OpenStep />;

  const { until } = state.cooldown;
  return (
    <StepPrompt action={<CompleteLink wait={until === null ? undefined : { until, serverOffsetMs, onEnd: reload }} />}>
      <TimeoutNotice />
    </StepPrompt>
  );
}

function UnreadableStep({ isReached, isLimited, retryAt }: RunFailure) {
  const { reload, isFetching } = useStepState();
  const { ask, isAsking, answeredAt } = useAsking(reload, isFetching);
  const [isDisabled, enable] = useDisabledUntil(retryAt);
  const next = isLimited
    ? 'refusal.KS_LIMIT.next'
    : isReached
      ? 'run.ours'
      : navigator.onLine
        ? 'run.nothingLost'
        : 'run.offline';

  function resume() {
    enable();
    reload();
  }

  const action = (
    <Button wide kind={isDisabled ? 'quiet' : 'primary'} disabled={isDisabled || isAsking} onClick={ask}>
      {t(isAsking ? 'captcha.checking' : 'run.tryAgain')}
    </Button>
  );

  return (
    <StepPrompt action={action}>
      <Notice kind="warning" title={t(isLimited ? 'refusal.KS_LIMIT.what' : 'run.unreadable')}>
        <span className={css.line}>{t(next)}</span>
        {answeredAt && !isAsking && <span className={css.line}>{t('run.still', { time: answeredAt })}</span>}
        {retryAt !== undefined && <ResumeAt until={retryAt} isOver={!isDisabled} onEnd={resume} />}
      </Notice>
    </StepPrompt>
  );
}

/** The open run belongs to another zone than the address: the visitor goes on with it or begins a new one. */
function OtherZone({ hwid, isWaiting }: { hwid: string; isWaiting: boolean }) {
  const { app, about, step, namedOs, requestedAdvertiser, refusal, isLate } = useStepState();
  const { zone = '', os } = useVisitor();
  const leaving = useLeaving();
  const advertiser = firstAdvertiser(app, step, requestedAdvertiser, about?.advertisers);
  const actions = (
    <ButtonRow>
      <LeaveLink href={stepLink({ app, step, hwid, zone, os, namedOs, advertiser, run: 'keep' })} leaving={leaving}>
        {t('zone.goOn')}
      </LeaveLink>
      <Link className={buttonClass({ kind: 'quiet' })} to={runAddress(app, 1, { run: 'new' })}>
        {t('zone.startAgain')}
      </Link>
    </ButtonRow>
  );

  return (
    <StepPrompt action={actions}>
      {isWaiting && <Waiting isLate={isLate} />}
      {refusal && <RefusalNotice refusal={refusal} />}
      <Notice title={t('zone.other')}>{t('zone.otherWhy')}</Notice>
    </StepPrompt>
  );
}
