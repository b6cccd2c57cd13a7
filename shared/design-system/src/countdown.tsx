import { useEffect, useEffectEvent, useState } from 'react';
import css from './countdown.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';
import { t } from './words.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

interface CountdownProps {
  /** The moment it counts to, in epoch milliseconds by the server's clock. */
  endsAt: number;
  /** Server's clock minus this device's, in milliseconds. */
  serverOffsetMs?: number;
  onEnd?: (() => void) | undefined;
  /** Says it in words for everyone, in place of a clock. */
  format?: (leftMs: number) => string;
}

/** Counts down by the server's clock. It does not interrupt screen readers; on demand they read hours and minutes. */
export function Countdown({ endsAt, serverOffsetMs = 0, onEnd, format }: CountdownProps) {
  // The first render shows no time, so that server and browser render the same; words are of what only the browser knows.
  const [leftMs, setLeftMs] = useState(() => (format ? endsAt - Date.now() - serverOffsetMs : undefined));
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

  if (format) return <span>{format(leftMs ?? 0)}</span>;
  return (
    <span role="timer" aria-live="off" className={css.countdown}>
      <VisuallyHidden>{leftMs === undefined ? t('countdown.counting') : formatSpoken(leftMs)}</VisuallyHidden>
      <span className={css.clock} aria-hidden="true">
        {leftMs === undefined ? '--:--' : formatClock(leftMs)}
      </span>
    </span>
  );
}

/**
 * Formats a time left like a clock, `23:59:07`, and under an hour `59:07`. Days count as hours; part of a second counts
 * as a second.
 */
export function formatClock(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  const hours = Math.floor(seconds / 3600);
  const parts = [...(hours > 0 ? [hours] : []), Math.floor(seconds / 60) % 60, seconds % 60];

  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Formats a time left in words for screen readers. Without seconds, so that the text does not change every second. */
export function formatSpoken(leftMs: number): string {
  if (leftMs <= 0) return t('countdown.over');
  if (leftMs < MINUTE_MS) return t('countdown.seconds');

  const count = { hours: Math.floor(leftMs / HOUR_MS), minutes: Math.floor((leftMs % HOUR_MS) / MINUTE_MS) };
  const hours = count.hours === 1 ? t('countdown.hour') : t('countdown.hours', { count: count.hours });
  const minutes = count.minutes === 1 ? t('countdown.minute') : t('countdown.minutes', { count: count.minutes });
  if (count.hours === 0) return minutes;

  return count.minutes === 0 ? hours : t('countdown.both', { hours, minutes });
}
