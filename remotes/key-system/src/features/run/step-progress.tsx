import { STEPS_PER_SERIES } from '@app/contracts/key-system';
import css from './step-progress.module.css';

/** A progress bar with a part for each step. Screen readers skip it, because the text beside it says the same. */
export function StepProgress({ current, of, isKnown }: { current: number; of: number; isKnown: boolean }) {
  return (
    <div className={css.bar} aria-hidden="true">
      {Array.from({ length: of }, (_, index) => index + 1).map((step) => (
        <span
          key={step}
          className={css.part}
          data-state={step === current ? 'now' : step < current && isKnown ? 'done' : 'next'}
          data-ends-series={step % STEPS_PER_SERIES === 0}
        />
      ))}
    </div>
  );
}
