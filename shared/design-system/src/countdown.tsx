import { useEffect, useEffectEvent, useState } from 'react';
import css from './countdown.module.css';
import { formatClock, formatSpoken } from './time-left.ts';
import { VisuallyHidden } from './visually-hidden.tsx';
import { t } from './words.ts';

interface CountdownProps {
  /** The moment it counts to, in milliseconds since 1970 by the server's clock. */
  endsAt: number;
  /** Server's clock minus this device's, in milliseconds. */
  serverOffsetMs?: number;
  /** Called once when nothing is left. */
  onEnd?: () => void;
}

/** Time left, counting down by the server's clock. It never speaks by itself; who reads it hears hours and minutes. */
export function Countdown({ endsAt, serverOffsetMs = 0, onEnd }: CountdownProps) {
  // The first render knows no time: server and browser would disagree.
  const [leftMs, setLeftMs] = useState<number>();
  const ended = useEffectEvent(() => onEnd?.());

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;

    function tick() {
      const left = endsAt - (Date.now() + serverOffsetMs);
      setLeftMs(left);
      if (left <= 0) return ended();

      // Wakes when the shown second ends; a fixed second would drift and now and then skip one.
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
