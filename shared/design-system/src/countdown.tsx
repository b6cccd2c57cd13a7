import { useEffect, useEffectEvent, useState } from 'react';
import css from './countdown.module.css';
import { formatClock, formatSpoken } from './time-left.ts';
import { VisuallyHidden } from './visually-hidden.tsx';
import { t } from './words.ts';

interface CountdownProps {
  /** The moment it counts to, in epoch milliseconds by the server's clock. */
  endsAt: number;
  /** Server's clock minus this device's, in milliseconds. */
  serverOffsetMs?: number;
  /** Called once, when the time is over. */
  onEnd?: () => void;
}

/** Counts down by the server's clock. It does not interrupt screen readers; on demand they read hours and minutes. */
export function Countdown({ endsAt, serverOffsetMs = 0, onEnd }: CountdownProps) {
  // The first render shows no time, so that server and browser render the same.
  const [leftMs, setLeftMs] = useState<number>();
  const ended = useEffectEvent(() => onEnd?.());

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;

    function tick() {
      const left = endsAt - (Date.now() + serverOffsetMs);
      setLeftMs(left);
      if (left <= 0) return ended();

      // Wakes at the end of the shown second. A fixed interval would drift and skip a second at times.
      timer = setTimeout(tick, left % 1000 || 1000);
    }
    timer = setTimeout(tick, 0);
    return () => clearTimeout(timer);
  }, [endsAt, serverOffsetMs]);

  return (
    <span role="timer" aria-live="off" className={css.countdown}>
      <VisuallyHidden>{leftMs === undefined ? t('countdown.counting') : formatSpoken(leftMs)}</VisuallyHidden>
      <span className={css.clock} aria-hidden="true">
        {leftMs === undefined ? '--:--:--' : formatClock(leftMs)}
      </span>
    </span>
  );
}
