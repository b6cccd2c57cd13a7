import type { RunState } from '@app/contracts/key-system-schemas';
import { Notice } from '@app/design-system/notice';
import { t } from '../../words.ts';
import { RefusalNotice } from './refusal-notice.tsx';
import type { Refusal } from './refusals.ts';
import { StandingNotice } from './standing-notice.tsx';
import type { RunReading } from './use-run-state.ts';
import css from './verdict.module.css';

interface VerdictProps {
  /** Why the visitor was led here. */
  refusal: Refusal | undefined;
  /** Until when one has to wait, as the address says it; the server's own word replaces it. */
  until: string | null;
  reading: RunReading;
  /** Called when the wait is over. */
  onEnd: () => void;
}

/** All that is to be said of a refused step: what happened, whether it counts, how long to wait, and what is left of the run. */
export function Verdict({ refusal, until, reading, onEnd }: VerdictProps) {
  const { state, serverOffsetMs } = reading.status === 'ready' ? reading : { state: undefined, serverOffsetMs: 0 };
  const told = standingOf(refusal, until);
  const standing = state ? state.cooldown : told;

  return (
    <div className={css.verdict}>
      {refusal && !told && <RefusalNotice refusal={refusal} isPaused={Boolean(standing)} />}
      {standing && <StandingNotice standing={standing} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />}
      {told && state && !standing && <Notice title={t('standing.over')} />}
      {state?.run && <p className={css.kept}>{t('bypass.kept', { step: state.run.step })}</p>}
    </div>
  );
}

function standingOf(refusal: Refusal | undefined, until: string | null): RunState['cooldown'] {
  if (refusal?.code !== 'KS_COOLDOWN' && refusal?.code !== 'KS_BLOCKED') return null;

  const time = Date.parse(until ?? '');
  return { reason: refusal.code, until: Number.isNaN(time) ? null : time };
}
