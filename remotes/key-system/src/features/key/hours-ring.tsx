import { KEY_VALID_HOURS } from '@app/contracts/key-system';
import { useEffect, useState, type ReactNode } from 'react';
import css from './hours-ring.module.css';

const HOUR_MS = 60 * 60_000;
const REDRAWN_MS = 60_000;

/** The length of the mark of an hour, and of the gap after it, in hours. */
const MARK = 0.72;

interface HoursRingProps {
  /** Epoch milliseconds by the server's clock. */
  endsAt: number;
  /** The server's clock minus this device's, in milliseconds. */
  serverOffsetMs: number;
  children: ReactNode;
}

/** A ring of 24 marks, one for each hour of a key. Those that are left are lit. */
export function HoursRing({ endsAt, serverOffsetMs, children }: HoursRingProps) {
  const [now, setNow] = useState(Date.now);

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REDRAWN_MS);
    return () => clearInterval(timer);
  }, []);

  return (
    <div className={css.ring}>
      <svg className={css.marks} viewBox="0 0 100 100" aria-hidden="true">
        <circle
          className={css.all}
          cx="50"
          cy="50"
          r="46"
          pathLength={KEY_VALID_HOURS}
          strokeDasharray={dashes(KEY_VALID_HOURS)}
        />
        <circle
          className={css.lit}
          cx="50"
          cy="50"
          r="46"
          pathLength={KEY_VALID_HOURS}
          strokeDasharray={dashes((endsAt - now - serverOffsetMs) / HOUR_MS)}
        />
      </svg>
      <div className={css.inside}>{children}</div>
    </div>
  );
}

/** The dashes of so many hours, the last one in part, and then nothing. */
function dashes(hours: number): string {
  const left = Math.min(Math.max(hours, 0), KEY_VALID_HOURS);
  const whole = Math.floor(left);
  const part = Math.min(left - whole, MARK);

  return `${`${MARK} ${1 - MARK} `.repeat(whole)}${part} ${KEY_VALID_HOURS}`;
}
