import type { AppId } from '@app/contracts/key-system';
import { STEPS_PER_SERIES } from '@app/contracts/key-system';
import { Countdown } from '@app/design-system/countdown';
import { t } from '../../words.ts';
import css from './run-strip.module.css';
import { StepProgress } from './step-progress.tsx';
import { useStepState } from './step-state.ts';
import type { RunReading } from './use-run-state.ts';

/** How many steps a run takes, until the server has answered. */
const USUAL_STEPS: Record<AppId, number> = { main: 2 * STEPS_PER_SERIES, companion: STEPS_PER_SERIES };

/** How many steps the run on a page takes. */
export function stepsOf(app: AppId, step: number, reading: RunReading): number {
  const state = reading.status === 'ready' ? reading.state : undefined;
  return state?.run?.of ?? state?.stepsRequired ?? Math.max(USUAL_STEPS[app], step);
}

/** Says how far a run is and how long it stays open. It stays in sight below the navbar while the page scrolls. */
export function RunStrip() {
  const { step, of, reading, reload } = useStepState();
  const run = reading.status === 'ready' ? reading.state.run : null;

  return (
    <div className={css.strip} data-run-strip>
      <div className={css.words}>
        <h2 className={css.count}>{t('step.count', { step, of })}</h2>
        {reading.status === 'ready' && run && (
          <p className={css.left}>
            <Countdown endsAt={run.expiresAt} serverOffsetMs={reading.serverOffsetMs} onEnd={reload} />{' '}
            {t('run.toFinish')}
          </p>
        )}
        {/* Reserves the room of the time, which every later step gets: large letters put it on a line of its own. */}
        {reading.status === 'loading' && step > 1 && (
          <p className={css.room} aria-hidden="true">
            00:00:00 {t('run.toFinish')}
          </p>
        )}
      </div>
      <StepProgress current={step} of={of} isKnown={reading.status === 'ready'} />
    </div>
  );
}
