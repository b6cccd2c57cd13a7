import { RunKey } from '@app/brand-ui/run-key';
import type { AppId } from '@app/contracts/key-system';
import { useIsHydrated } from '@app/platform';
import { t } from '../../words.ts';
import css from './kept-run.module.css';
import { knownRefusal } from './refused-return.tsx';
import type { Refusal } from './refusals.ts';
import { usualSteps } from './run-address.ts';
import type { RunReading } from './use-run-state.ts';

interface KeptRunProps {
  app: AppId;
  refusal: Refusal | undefined;
  reading: RunReading;
}

/** What a refused return has left of the run: the key as far as it is cut, and where it goes on. */
export function KeptRun({ app, refusal, reading }: KeptRunProps) {
  const state = reading.status === 'ready' ? reading.state : undefined;
  const isHydrated = useIsHydrated();
  const shown = knownRefusal(refusal, state);
  const run = shown?.code === 'KS_REUSE' ? undefined : state?.run;
  const step = run?.step ?? 1;
  const of = run?.of ?? state?.stepsRequired ?? usualSteps(app) ?? step + 1;

  return (
    <>
      {/* The refusal, which the first render does not know, would move it. */}
      {isHydrated && <RunKey of={of} done={step - 1} {...(state && { current: step })} />}
      <div className={css.where}>
        {state && <h2 className={css.step}>{t('step.count', { step, of })}</h2>}
        {run && <p className={css.kept}>{t('bypass.kept', { step })}</p>}
      </div>
    </>
  );
}
