import { RunKey } from '@app/brand-ui/run-key';
import type { AppId } from '@app/contracts/key-system';
import { Countdown } from '@app/design-system/countdown';
import { lettersOf } from '@app/design-system/letters';
import { useEffect, useState } from 'react';
import { t } from '../../words.ts';
import { nameOfApp } from './run-address.ts';
import css from './run-strip.module.css';
import { useStepState } from './step-prompt.tsx';
import { UsualTime } from './usual-time.tsx';

/** What is said of the time before it is known, to keep its room. */
const PLACEHOLDER_MINUTES = 59;

const MINUTE_MS = 60_000;

/** Says how far a run is and how long it stays open. It stays in sight below the navbar while the page scrolls. */
export function RunStrip() {
  const { app, about, step, stepCount, isCountKnown, reading, reload } = useStepState();
  const { state, failure, serverOffsetMs } = reading;
  const name = nameOfApp(app, about);
  // Until the server has answered, no tooth is cut.
  const done = state && step - 1;
  const isCutNow = useStepJustCompleted(app, done);
  const [, ofAll] = t('step.of', { step: STEP_PLACEHOLDER, of: stepCount }).split(STEP_PLACEHOLDER);

  return (
    <div className={css.strip} data-run-strip data-pending={step === 1 && !state && !failure}>
      <h2 className={css.count}>
        {app !== 'main' && (
          <span className={css.app} aria-hidden="true" data-letters={lettersOf(name)}>
            {name}{' '}
          </span>
        )}
        <span>{t('step.card')} </span>
        <span className={css.of} data-known={step === 1 || Boolean(state ?? failure)}>
          <span className={css.digit}>
            {isCutNow && <span className={css.was} data-was={step - 1} aria-hidden="true" />}
            <span>{step}</span>
          </span>
          {isCountKnown && ofAll}
        </span>
      </h2>
      {state?.run ? (
        <p className={css.left}>
          <Countdown endsAt={state.run.expiresAt} serverOffsetMs={serverOffsetMs} onEnd={reload} format={formatSaved} />
        </p>
      ) : step === 1 ? (
        <p className={css.left}>
          <UsualTime ms={state?.usualRunMs} ads={state && stepCount} />
        </p>
      ) : (
        // Reserves the room of the time, which every later step gets: large letters put it on a line of its own.
        <p className={css.reserve} aria-hidden="true">
          {formatSaved(PLACEHOLDER_MINUTES * MINUTE_MS)}
        </p>
      )}
      <div className={css.key}>
        <RunKey of={stepCount} done={done ?? 0} current={step} isCutNow={isCutNow} />
      </div>
    </div>
  );
}

/** No text contains it. */
const STEP_PLACEHOLDER = '\u0000';

function formatSaved(leftMs: number): string {
  return t('run.saved', { minutes: Math.max(1, Math.floor(leftMs / MINUTE_MS)) });
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
