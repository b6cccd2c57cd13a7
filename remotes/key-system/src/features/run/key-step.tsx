import { STEPS_PER_SERIES, type AppId } from '@app/contracts/key-system';
import { t } from '../../words.ts';
import { PlatformIcon } from '../device/platform-icon.tsx';
import { CurrentStep } from './current-step.tsx';
import css from './key-step.module.css';
import { StepList } from './step-list.tsx';
import { StepProgress } from './step-progress.tsx';
import type { CurrentStepProps } from './step-props.ts';
import { useLeadToStep } from './use-lead-to-step.ts';

/** How many steps a run takes, until the server has answered. */
const USUAL_STEPS: Record<AppId, number> = { main: 2 * STEPS_PER_SERIES, companion: STEPS_PER_SERIES };

/** The card of a run: its progress, all its steps, and what the current step asks for. */
export function KeyStep(props: Omit<CurrentStepProps, 'of'>) {
  const { app, step, reading, visitor } = props;
  const state = reading.status === 'ready' ? reading.state : undefined;
  const of = state?.run?.of ?? state?.stepsRequired ?? Math.max(USUAL_STEPS[app], step);
  const isKnown = state !== undefined;
  const heading = useLeadToStep(step, isKnown);

  return (
    <section className={css.card} aria-label={t('step.card')}>
      <div className={css.head}>
        <h2 className={css.title}>{t('step.card')}</h2>
        <PlatformIcon os={visitor.os} />
        <p className={css.count}>{t('step.count', { step, of })}</p>
      </div>
      <StepProgress current={step} of={of} isKnown={isKnown} />
      <StepList current={step} of={of} completed={state?.run?.completed ?? []} isKnown={isKnown} heading={heading}>
        <CurrentStep {...props} of={of} key={step} />
      </StepList>
    </section>
  );
}
