import { isSpecified, STEPS_PER_SERIES } from '@app/contracts/key-system';
import { Icon } from '@app/design-system/icon';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import type { ReactNode, Ref } from 'react';
import { t } from '../../words.ts';
import css from './step-list.module.css';
import { useStepState } from './step-prompt.tsx';

const NAMES = ['step.first', 'step.second', 'step.third', 'step.fourth', 'step.fifth', 'step.sixth'] as const;

interface StepListProps {
  heading: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** Lists the steps of a series: those that are done, the current one with its content, and the next ones. */
export function StepList({ heading, children }: StepListProps) {
  const { app, step: current, stepCount, reading } = useStepState();
  // Until the server has answered, no step is marked as done.
  const isKnown = reading.state !== undefined;
  const perSeries = isSpecified(app) ? STEPS_PER_SERIES : stepCount;
  const before = Math.floor((current - 1) / perSeries) * perSeries;
  const label = stepCount <= perSeries ? 'series.only' : before === 0 ? 'series.first' : 'series.second';

  return (
    <section className={css.card} aria-label={t('step.card')}>
      <ol className={css.series} aria-label={t(label)}>
        {Array.from({ length: perSeries }, (_, place) => before + place + 1).map((step) => (
          <Step
            key={step}
            step={step}
            state={step === current ? 'now' : step > current ? 'next' : isKnown ? 'done' : 'unknown'}
            isLast={step === current - 1}
            {...(step === current && { heading })}
          >
            {step === current && children}
          </Step>
        ))}
      </ol>
    </section>
  );
}

interface StepProps {
  step: number;
  state: 'done' | 'now' | 'next' | 'unknown';
  /** Whether it is the step before the current one. */
  isLast: boolean;
  heading?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

function Step({ step, state, isLast, heading, children }: StepProps) {
  const isPast = state === 'done' || state === 'unknown';

  return (
    <li className={css.step} data-state={state} data-last={isLast} {...(state === 'now' && { 'aria-current': 'step' })}>
      <div className={css.head}>
        {state !== 'now' && (
          <span className={css.mark} aria-hidden="true">
            {isPast ? <Icon name="check" size={18} /> : <Lock />}
          </span>
        )}
        <h3 className={css.name} {...(heading && { ref: heading, tabIndex: -1 })}>
          {t(NAMES[step - 1] ?? 'step.other', { step })}
        </h3>
        {state === 'next' && <VisuallyHidden>{t('step.next')}</VisuallyHidden>}
        {/* Before it is known, it keeps its room. */}
        {isPast && (
          <p className={css.completed} aria-hidden={state === 'unknown'}>
            {t('step.done')}
          </p>
        )}
      </div>
      {children && <div className={css.body}>{children}</div>}
    </li>
  );
}

function Lock() {
  return (
    <svg className={css.lock} viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d="M3.5 7.5h9v6h-9zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2" />
    </svg>
  );
}
