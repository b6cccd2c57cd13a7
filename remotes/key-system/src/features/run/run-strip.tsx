import { RunKey } from '@app/brand-ui/run-key';
import type { AppId } from '@app/contracts/key-system';
import { useEffect, useState } from 'react';
import { t } from '../../words.ts';
import { TimeLeft } from '../wait/time-left.tsx';
import css from './run-strip.module.css';
import { useStepState } from './step-prompt.tsx';

const PLACEHOLDER_TIME = '00:00';

/** Says how far a run is and how long it stays open. It stays in sight below the navbar while the page scrolls. */
export function RunStrip() {
  const { app, step, stepCount, isCountKnown, reading, reload } = useStepState();
  const { state, failure, serverOffsetMs } = reading;
  // Until the server has answered, no tooth is cut.
  const done = state && step - 1;
  const isCutNow = useStepJustCompleted(app, done);

  return (
    <div className={css.strip} data-run-strip>
      <h2 className={css.count}>
        {isCountKnown ? t('step.count', { step, of: stepCount }) : t('step.other', { step })}
      </h2>
      {state?.run && (
        <p className={css.left}>
          <TimeLeft endsAt={state.run.expiresAt} serverOffsetMs={serverOffsetMs} onEnd={reload} />
        </p>
      )}
      {/* Reserves the room of the time, which every later step gets: large letters put it on a line of its own. */}
      {!state && !failure && step > 1 && (
        <p className={css.reserve} aria-hidden="true">
          {t('run.timeLeft', { time: PLACEHOLDER_TIME })}
        </p>
      )}
      <div className={css.key}>
        <RunKey of={stepCount} done={done ?? 0} current={step} isCutNow={isCutNow} />
      </div>
    </div>
  );
}

/**
 * Whether the last completed step came since this tab saw the run last. A page that is opened for the first time, or
 * reloaded, has nothing new to show.
 * @param done how many steps are completed; undefined until the server has answered
 */
function useStepJustCompleted(app: AppId, done: number | undefined): boolean {
  const name = `run-key-${app}`;
  const [seen, setSeen] = useState(() => Number(tryStorage((storage) => storage.getItem(name)) ?? NaN));
  const [completed, setCompleted] = useState<number>();

  if (done !== undefined && done !== seen) {
    setSeen(done);
    setCompleted(seen < done ? done : undefined);
  }

  useEffect(() => {
    if (done !== undefined) tryStorage((storage) => storage.setItem(name, String(done)));
  }, [name, done]);

  return completed !== undefined && completed === done;
}

/** The server has no storage, and some browsers forbid it. Nothing is animated there. */
function tryStorage<Result>(work: (storage: Storage) => Result): Result | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
