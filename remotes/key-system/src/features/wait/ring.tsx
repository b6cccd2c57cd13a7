import { Countdown } from '@app/design-system/countdown';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import css from './ring.module.css';

interface RingProps {
  is?: 'good' | 'bad' | 'open';
  /** How much of it is lit, from 0 to 1. */
  share?: number;
  children: ReactNode;
}

/** A ring around a sign or a time. The text beside it says the same. */
export function Ring({ is = 'open', share = 1, children }: RingProps) {
  return (
    <div className={css.ring} data-is={is}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r="46" />
        {share > 0 && <circle cx="50" cy="50" r="46" pathLength="1" strokeDasharray={`${share} 1`} />}
      </svg>
      <div className={css.inside}>{children}</div>
    </div>
  );
}

interface WaitRingProps extends ComponentProps<typeof Countdown> {
  totalMs: number;
}

/** A ring that empties while the time in it runs out. */
export function WaitRing({ totalMs, ...countdown }: WaitRingProps) {
  const { endsAt, serverOffsetMs = 0 } = countdown;
  const [now, setNow] = useState(Date.now);

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);

  return (
    <Ring is="bad" share={Math.min(Math.max((endsAt - now - serverOffsetMs) / totalMs, 0), 1)}>
      <Countdown {...countdown} />
    </Ring>
  );
}
