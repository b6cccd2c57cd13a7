import { STEPS_PER_SERIES } from '@app/contracts/key-system';
import { t } from '../../words.ts';
import css from './stepper.module.css';

interface StepperProps {
  /** The step that the run stands at. */
  current: number;
  of: number;
}

/** Every step of the run, series by series: which are done, which is asked for now. */
export function Stepper({ current, of }: StepperProps) {
  const series = Array.from({ length: Math.ceil(of / STEPS_PER_SERIES) }, (_, index) => index);

  return (
    <div className={css.stepper}>
      <p className={css.count}>
        {t('stepper.count', { step: current, of })}
      </p>
      <div className={css.rows}>
        {series.map((index) => (
          <ol key={index} className={css.row} aria-label={series.length > 1 ? t('stepper.series', { series: index + 1 }) : t('stepper.steps')}>
            {Array.from({ length: STEPS_PER_SERIES }, (_, place) => index * STEPS_PER_SERIES + place + 1).map((step) => (
              <Step key={step} step={step} current={current} />
            ))}
          </ol>
        ))}
      </div>
    </div>
  );
}

function Step({ step, current }: { step: number; current: number }) {
  const isDone = step < current;
  const isCurrent = step === current;

  return (
    <li className={[css.step, isDone && css.done, isCurrent && css.current].filter(Boolean).join(' ')} {...(isCurrent && { 'aria-current': 'step' })}>
      <span className={css.mark} aria-hidden="true">
        {isDone ? '✓' : step}
      </span>
      <span className={css.word}>
        <span className={css.hidden}>{t('stepper.step', { step })}</span>
        {isDone ? t('stepper.done') : isCurrent ? t('stepper.now') : t('stepper.next')}
      </span>
    </li>
  );
}
