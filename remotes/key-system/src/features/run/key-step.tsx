import { t } from '../../words.ts';
import { CurrentStep } from './current-step.tsx';
import css from './key-step.module.css';
import { StepList } from './step-list.tsx';
import type { CurrentStepProps } from './step-props.ts';
import { useLeadToStep } from './use-lead-to-step.ts';

/** The card of a run: all its steps, and what the current step asks for. */
export function KeyStep(props: CurrentStepProps) {
  const { step, of, reading } = props;
  const state = reading.status === 'ready' ? reading.state : undefined;
  const isKnown = state !== undefined;
  const heading = useLeadToStep(step, isKnown);

  return (
    <section className={css.card} aria-label={t('step.card')}>
      <StepList current={step} of={of} completed={state?.run?.completed ?? []} isKnown={isKnown} heading={heading}>
        <CurrentStep {...props} key={step} />
      </StepList>
    </section>
  );
}
