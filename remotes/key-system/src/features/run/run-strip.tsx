import { RunKey } from '@app/brand-ui/run-key';
import type { AppId } from '@app/contracts/key-system';
import { Countdown } from '@app/design-system/countdown';
import { putTime } from '../../put-time.tsx';
import { t } from '../../words.ts';
import css from './run-strip.module.css';
import { usualSteps } from './run-address.ts';
import { useStepState } from './step-state.ts';
import type { RunReading } from './use-run-state.ts';
import { useToothCut } from './use-tooth-cut.ts';

/** As wide as the time of a run. */
const SOME_TIME = '00:00';

/** How many steps the run on a page takes; as long as that is not known of a registered app, one more than it has come to. */
export function stepsOf(app: AppId, step: number, reading: RunReading): number {
  const state = reading.status === 'ready' ? reading.state : undefined;
  return state?.run?.of ?? state?.stepsRequired ?? Math.max(usualSteps(app) ?? step + 1, step);
}

/** Says how far a run is and how long it stays open. It stays in sight below the navbar while the page scrolls. */
export function RunStrip() {
  const { app, step, of, isCounted, reading, reload } = useStepState();
  const run = reading.status === 'ready' ? reading.state.run : null;
  // Until the server has answered, no tooth is cut.
  const done = reading.status === 'ready' ? step - 1 : undefined;
  const isCutNow = useToothCut(app, done);

  return (
    <div className={css.strip} data-run-strip>
      <h2 className={css.count}>{isCounted ? t('step.count', { step, of }) : t('step.other', { step })}</h2>
      {reading.status === 'ready' && run && (
        <p className={css.left}>
          {putTime(
            (time) => t('run.timeLeft', { time }),
            <Countdown endsAt={run.expiresAt} serverOffsetMs={reading.serverOffsetMs} onEnd={reload} />,
          )}
        </p>
      )}
      {/* Reserves the room of the time, which every later step gets: large letters put it on a line of its own. */}
      {reading.status === 'loading' && step > 1 && (
        <p className={css.room} aria-hidden="true">
          {t('run.timeLeft', { time: SOME_TIME })}
        </p>
      )}
      <div className={css.key}>
        <RunKey of={of} done={done ?? 0} current={step} isCutNow={isCutNow} />
      </div>
    </div>
  );
}
