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
  reading: RunReading;
  /** Called when the wait is over. */
  onEnd: () => void;
}

/** All that is to be said of a refused step: what happened, whether it counts, how long to wait, and what is left of the run. */
export function Verdict({ refusal, reading, onEnd }: VerdictProps) {
  const { state, serverOffsetMs } = reading.status === 'ready' ? reading : { state: undefined, serverOffsetMs: 0 };
  const told = standingOf(refusal);
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

/** What the address says of a pause; the server's own word replaces it. */
function standingOf(refusal: Refusal | undefined): RunState['cooldown'] {
  if (refusal?.code !== 'KS_COOLDOWN' && refusal?.code !== 'KS_BLOCKED') return null;

  return { reason: refusal.code, until: refusal.until ?? null };
}
