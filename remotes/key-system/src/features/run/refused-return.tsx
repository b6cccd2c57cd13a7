import type { RunState } from '@app/contracts/key-system-schemas';
import { Notice } from '@app/design-system/notice';
import { useState } from 'react';
import { t } from '../../words.ts';
import { RefusalNotice } from './refusal-notice.tsx';
import type { Refusal } from './refusals.ts';
import { CooldownNotice } from './cooldown-notice.tsx';
import type { RunReading } from './use-run-state.ts';
import css from './refused-return.module.css';

interface RefusedReturnProps {
  /** What the address says of the return. */
  refusal: Refusal | undefined;
  reading: RunReading;
  /** Whether the server is being asked about the device. */
  isAsking: boolean;
  /** Called when the wait is over. */
  onEnd: () => void;
}

/**
 * Explains a refused return: what happened, whether it counts, and how long to wait. A return that counts for nothing is
 * not threatened.
 */
export function RefusedReturn({ refusal, reading, isAsking, onEnd }: RefusedReturnProps) {
  const { state, serverOffsetMs } = reading.status === 'ready' ? reading : { state: undefined, serverOffsetMs: 0 };
  const cooldown = state?.cooldown;
  const [wasPaused, setWasPaused] = useState(false);
  if (cooldown && !wasPaused) setWasPaused(true);
  const shown = knownRefusal(refusal, state);
  const isThreatened = shown ? shown.isStrike : !cooldown && !wasPaused && !(isAsking && refusal);

  return (
    <div className={css.refused} data-can-pause={refusal !== undefined}>
      {cooldown && <CooldownNotice cooldown={cooldown} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />}
      {shown && <RefusalNotice refusal={shown} strikes={state?.strikes?.count} isLadderSaid={Boolean(cooldown)} />}
      {wasPaused && !cooldown && <Notice title={t('cooldown.over')} />}
      {isThreatened && <p className={css.threat}>{t('bypass.lead')}</p>}
    </div>
  );
}

/** Anyone can write an address, so what counts against a device is what the server knows of it. */
export function knownRefusal(refusal: Refusal | undefined, state: RunState | undefined): Refusal | undefined {
  const isTicket = refusal?.code === 'KS_TICKET';
  return isTicket || (refusal && state?.strikes?.codes.includes(refusal.code)) ? refusal : undefined;
}
