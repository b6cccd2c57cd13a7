import { LeaveLink, useLeaving } from '@app/brand-ui/leave';
import { isSpecified, STEPS_PER_SERIES } from '@app/contracts/key-system';
import { Countdown } from '@app/design-system/countdown';
import { t } from '../../words.ts';
import css from './complete-link.module.css';
import { earlyStepLink } from './run-address.ts';
import prompt from './step-prompt.module.css';
import { useStepState, type StepState } from './step-prompt.tsx';

interface CompleteLinkProps {
  /** Undefined while the step cannot begin; the link is disabled then. */
  href?: string | undefined;
  isQuiet?: boolean;
  /** Whether the visitor has come back from the advertiser, and only waits. */
  isAgain?: boolean;
  /** Whether the link works before the state of the run is known. */
  isEarly?: boolean;
  /** Whether a captcha that needs no visitor is at work. */
  isChecking?: boolean;
  /** What has to pass first. The link shows it in place of its name. */
  wait?: { until: number; serverOffsetMs: number; onEnd: () => void } | undefined;
}

/** The link to the advertiser, which looks like a button. */
export function CompleteLink({
  href,
  isQuiet = false,
  isAgain = false,
  isEarly = false,
  isChecking = false,
  wait,
}: CompleteLinkProps) {
  const state = useStepState();
  const left = state.stepCount - state.step;
  const leaving = useLeaving();

  return (
    <LeaveLink
      wide
      kind={isQuiet || !(href || isEarly) ? 'quiet' : 'primary'}
      href={href}
      early={isEarly ? earlyStepLink(state.app, state.step) : undefined}
      leaving={leaving}
    >
      <span className={css.label} data-checking={isChecking} data-waits={wait !== undefined}>
        <span>
          {isChecking && <span className={prompt.spinner} aria-hidden="true" />}
          {wait ? (
            <>
              <span>{t('cooldown.until')}</span>{' '}
              <Countdown endsAt={wait.until} serverOffsetMs={wait.serverOffsetMs} onEnd={wait.onEnd} />
            </>
          ) : (
            <span>{isChecking ? t('captcha.checking') : isAgain ? t('waiting.reopen') : completeLabel(state)}</span>
          )}
        </span>
        {left > 0 && !isAgain && endsSeries(state) && <small className={css.more}>{t('step.more', { left })}</small>}
      </span>
    </LeaveLink>
  );
}

/** The text of a step's Complete button. The last step of each series has another text. */
export function completeLabel(state: StepState): string {
  return t(endsSeries(state) ? 'step.completeLast' : 'step.complete');
}

function endsSeries({ app, step, stepCount }: StepState): boolean {
  return (isSpecified(app) && step === STEPS_PER_SERIES) || step === stepCount;
}
