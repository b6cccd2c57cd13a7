import { RunKey } from '@app/brand-ui/run-key';
import type { AppId } from '@app/contracts/key-system';
import type { RunState } from '@app/contracts/key-system-schemas';
import { Notice } from '@app/design-system/notice';
import text from '@app/design-system/text.module.css';
import { useIsHydrated } from '@app/platform';
import { useState } from 'react';
import { t } from '../../words.ts';
import { CooldownNotice, RefusalNotice, type Refusal } from './refusals.tsx';
import css from './refused-return.module.css';
import { usualSteps } from './run-address.ts';
import type { RunReading } from './run-state.ts';

interface RefusedReturnProps {
  refusal: Refusal | undefined;
  reading: RunReading;
  /** Whether the server is being asked about the device. */
  isAsking: boolean;
  onEnd: () => void;
}

/** Explains a refused return. One that counts for nothing is not threatened. */
export function RefusedReturn({ refusal, reading, isAsking, onEnd }: RefusedReturnProps) {
  const { state, serverOffsetMs } = reading;
  const cooldown = state?.cooldown;
  const [wasPaused, setWasPaused] = useState(false);
  if (cooldown && !wasPaused) setWasPaused(true);
  const shown = confirmedRefusal(refusal, state);
  const isThreatened = shown ? shown.isStrike : !cooldown && !wasPaused && !(isAsking && refusal);

  return (
    <div className={css.refused} data-can-pause={refusal !== undefined}>
      {cooldown && <CooldownNotice cooldown={cooldown} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />}
      {shown && <RefusalNotice refusal={shown} strikes={state?.strikes?.count} isLadderSaid={Boolean(cooldown)} />}
      {wasPaused && !cooldown && <Notice title={t('cooldown.over')} />}
      {isThreatened && <p className={text.lead}>{t('bypass.lead')}</p>}
    </div>
  );
}

/** Anyone can write an address, so what counts against a device is what the server knows of it. */
function confirmedRefusal(refusal: Refusal | undefined, state: RunState | undefined): Refusal | undefined {
  const isTicket = refusal?.code === 'KS_TICKET';
  return isTicket || (refusal && state?.strikes?.codes.includes(refusal.code)) ? refusal : undefined;
}

interface KeptRunProps extends Pick<RefusedReturnProps, 'refusal' | 'reading'> {
  app: AppId;
}

/** What a refused return has left of the run: the key as far as it is cut, and where it goes on. */
export function KeptRun({ app, refusal, reading: { state } }: KeptRunProps) {
  const isHydrated = useIsHydrated();
  const run = confirmedRefusal(refusal, state)?.code === 'KS_REUSE' ? undefined : state?.run;
  const step = run?.step ?? 1;
  const of = run?.of ?? state?.stepsRequired ?? usualSteps(app) ?? step + 1;

  return (
    <>
      {/* The refusal, which the first render does not know, would move it. */}
      {isHydrated && <RunKey of={of} done={step - 1} {...(state && { current: step })} />}
      <div className={css.progress}>
        {state && <h2 className={css.step}>{t('step.count', { step, of })}</h2>}
        {run && <p className={text.quiet}>{t('bypass.kept', { step })}</p>}
      </div>
    </>
  );
}
