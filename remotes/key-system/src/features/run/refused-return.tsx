import type { RunState } from '@app/contracts/key-system-schemas';
import { Notice } from '@app/design-system/notice';
import { t } from '../../words.ts';
import { RefusalNotice } from './refusal-notice.tsx';
import type { Refusal } from './refusals.ts';
import { CooldownNotice } from './cooldown-notice.tsx';
import type { RunReading } from './use-run-state.ts';
import css from './refused-return.module.css';

interface RefusedReturnProps {
  /** Why the visitor was led here. */
  refusal: Refusal | undefined;
  reading: RunReading;
  /** Called when the wait is over. */
  onEnd: () => void;
}

/**
 * Explains a refused return: what happened, whether it counts, how long to wait, and which step the run is at. A return
 * that counts for nothing is not threatened.
 */
export function RefusedReturn({ refusal, reading, onEnd }: RefusedReturnProps) {
  const { state, serverOffsetMs } = reading.status === 'ready' ? reading : { state: undefined, serverOffsetMs: 0 };
  const told = cooldownIn(refusal);
  const cooldown = state ? state.cooldown : told;
  const isThreatened = !refusal || refusal.isCounted;
  const isOver = refusal?.code === 'KS_REUSE';

  return (
    <div className={css.refused} data-can-pause={refusal !== undefined}>
      {refusal && !told && <RefusalNotice refusal={refusal} isPaused={Boolean(cooldown)} />}
      {cooldown && <CooldownNotice cooldown={cooldown} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />}
      {told && state && !cooldown && <Notice title={t('cooldown.over')} />}
      {isThreatened && <p className={css.threat}>{t('bypass.lead')}</p>}
      {state?.run && !isOver && <p className={css.kept}>{t('bypass.kept', { step: state.run.step })}</p>}
    </div>
  );
}

/** The cooldown in the address. The page shows it until the server has answered. */
function cooldownIn(refusal: Refusal | undefined): RunState['cooldown'] {
  if (refusal?.code !== 'KS_COOLDOWN' && refusal?.code !== 'KS_BLOCKED') return null;

  return { reason: refusal.code, until: refusal.until ?? null };
}
