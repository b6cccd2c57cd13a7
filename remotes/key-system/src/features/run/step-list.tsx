import { ADVERTISER_NAMES, parseAdvertiser } from '@app/contracts/advertisers';
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

/** Lists the steps of a run by series: the steps that are done, the current one with its content, and the next ones. */
export function StepList({ heading, children }: StepListProps) {
  const { app, step: current, stepCount, reading } = useStepState();
  const completed = reading.state?.run?.completed ?? [];
  // Until the server has answered, no step is marked as done.
  const isKnown = reading.state !== undefined;
  const perSeries = isSpecified(app) ? STEPS_PER_SERIES : stepCount;
  const series = Array.from({ length: Math.ceil(stepCount / perSeries) }, (_, index) => index);

  return (
    <section className={css.card} aria-label={t('step.card')}>
      {series.map((index) => {
        const first = index * perSeries + 1;
        const isOpen = current >= first && current < first + perSeries;
        const label = series.length > 1 ? t(index === 0 ? 'series.first' : 'series.second') : t('series.only');

        return (
          <div key={index} className={css.series}>
            {series.length > 1 && (
              <p className={css.label}>
                <span aria-hidden="true">{label}</span>
                {index > 0 && current === first && (
                  <strong className={css.halfway}>{t('series.halfway', { left: stepCount - current + 1 })}</strong>
                )}
              </p>
            )}
            <ol className={isOpen ? css.cards : css.chips} aria-label={label}>
              {Array.from({ length: perSeries }, (_, place) => first + place).map((step) => (
                <Step
                  key={step}
                  step={step}
                  state={step === current ? 'now' : step > current ? 'next' : isKnown ? 'done' : 'unknown'}
                  isLast={step === current - 1}
                  by={completed.find((done) => done.step === step)?.advertiser}
                  {...(step === current && { heading })}
                >
                  {step === current && children}
                </Step>
              ))}
            </ol>
          </div>
        );
      })}
    </section>
  );
}

interface StepProps {
  step: number;
  state: 'done' | 'now' | 'next' | 'unknown';
  /** Whether it is the step before the current one. */
  isLast: boolean;
  heading?: Ref<HTMLHeadingElement>;
  by: string | undefined;
  children: ReactNode;
}

function Step({ step, state, isLast, heading, by, children }: StepProps) {
  return (
    <li className={css.step} data-state={state} data-last={isLast} {...(state === 'now' && { 'aria-current': 'step' })}>
      <div className={css.head}>
        {state !== 'now' && (
          <span className={css.mark} aria-hidden="true">
            {state === 'done' && <Icon name="check" size={18} />}
            {state === 'next' && <Lock />}
          </span>
        )}
        <h3 className={css.name} {...(heading && { ref: heading, tabIndex: -1 })}>
          {t(NAMES[step - 1] ?? 'step.other', { step })}
        </h3>
        {state === 'next' && <VisuallyHidden>{t('step.next')}</VisuallyHidden>}
        {(state === 'done' || state === 'unknown') && (
          <p className={css.state}>
            {state === 'done' && <span className={css.completed}>{t('step.done')}</span>}
            {by && <span className={css.by}>{nameOf(by)}</span>}
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

/** An older page may not know a new advertiser; it shows the id then. */
function nameOf(advertiser: string): string {
  const id = parseAdvertiser(advertiser);
  return id ? ADVERTISER_NAMES[id] : advertiser;
}
