import { RunKey } from '@app/brand-ui/run-key';
import { type AppId, KEY_VALID_HOURS } from '@app/contracts/key-system';
import type { RunState } from '@app/contracts/key-system-schemas';
import { PAGES } from '@app/contracts/pages';
import { Countdown } from '@app/design-system/countdown';
import { Icon } from '@app/design-system/icon';
import { Link, noteFragment, withQuery } from '@app/platform';
import { type ReactNode, useEffect, useState } from 'react';
import { partsOf } from '../../date.ts';
import { t } from '../../words.ts';
import css from './key-ticket.module.css';
import { t as tKey } from './words.ts';

const HOUR_MS = 60 * 60_000;
const REDRAW_INTERVAL_MS = 60_000;

/** A key that is younger has just been cut. */
const NEW_MS = 2 * 60_000;

/** A key and its device, once this browser has found its signature right. */
export interface ProvenKey {
  key: string;
  hwid: string;
}

interface KeyTicketProps {
  app: AppId;
  of: number;
  known: NonNullable<RunState['key']>;
  serverOffsetMs: number;
  proven: ProvenKey | undefined;
  isChecking: boolean;
  /** Shows how a new key is finished: its last tooth is cut, it opens its lock, its hours are filled. */
  arrives?: boolean;
  onEnd: () => void;
}

/** The key that was earned: how long it still works, when the next one is to be had, and the proof that it is ours. */
export function KeyTicket({
  app,
  of,
  known,
  serverOffsetMs,
  proven,
  isChecking,
  arrives = false,
  onEnd,
}: KeyTicketProps) {
  const { expiresAt, renewableAt = expiresAt } = known;
  const isPhone = /Android|iPhone/.test(navigator.userAgent);
  const leftMs = expiresAt - useNow() - serverOffsetMs;
  const [isReminded, setIsReminded] = useState(false);
  const [isNew] = useState(arrives && KEY_VALID_HOURS * HOUR_MS - leftMs < NEW_MS);
  const lastMs = expiresAt - renewableAt;
  const end = momentOf(expiresAt - serverOffsetMs);
  const next = momentOf(renewableAt - serverOffsetMs);

  return (
    <div className={css.ticket} data-ending={known.renewable}>
      <div className={css.key} data-new={isNew}>
        <RunKey of={of} done={of} isCutNow={isNew} />
        <Lock />
      </div>
      <div className={css.body}>
        <HoursRing left={leftMs / HOUR_MS} last={lastMs / HOUR_MS} isNew={isNew}>
          <Countdown endsAt={expiresAt} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />
          <span className={css.left}>{t('run.left')}</span>
        </HoursRing>
        <div className={css.text}>
          <p className={css.until}>{tKey('getkey.until', { end: end })}</p>
          {lastMs > 0 && lastMs < leftMs && <p className={css.next}>{tKey('getkey.next', { moment: next })}</p>}
        </div>
        <div className={css.links}>
          {leftMs > HOUR_MS && (
            <p role="status">
              {/* Phones open the file in their calendar. */}
              <a
                className={css.link}
                href={withQuery('/api/key-reminder', { app, ends: String(expiresAt) })}
                onClick={() => setIsReminded(true)}
              >
                <svg className={css.bell} viewBox="0 0 24 24" aria-hidden="true">
                  <path d="M5 17h14l-1.8-2.6V10a5.2 5.2 0 0 0-10.4 0v4.4L5 17Zm5 3h4" />
                </svg>
                <span>{tKey(isReminded ? 'getkey.reminded' : 'getkey.remind')}</span>
              </a>
            </p>
          )}
          <p role="status" aria-busy={isChecking}>
            <Link
              className={css.link}
              data-proven={proven !== undefined}
              to={PAGES.checkKey}
              // In the address, the key would stay in the browser's history.
              onClick={() =>
                proven &&
                noteFragment(PAGES.checkKey, `#${new URLSearchParams({ key: proven.key, device: proven.hwid })}`)
              }
            >
              <Icon name="shield" />
              <span>{proven ? tKey(isPhone ? 'getkey.proven' : 'getkey.provenOnComputer') : tKey('getkey.check')}</span>
              <Icon name="chevron" size={16} />
            </Link>
          </p>
        </div>
      </div>
    </div>
  );
}

/** Each moment of a key that works is today or tomorrow. */
function momentOf(at: number) {
  const { isToday, time } = partsOf(at);
  return tKey(isToday ? 'getkey.today' : 'getkey.tomorrow', { time });
}

/** The time by this device's clock, to the minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REDRAW_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);

  return now;
}

/** The lock that the key has opened. */
function Lock() {
  return (
    <svg className={css.lock} viewBox="0 0 40 30" aria-hidden="true">
      <path className={css.shackle} d="M11 3v-5a9 9 0 0 1 18 0V10" />
      <rect className={css.case} width="40" height="30" rx="7" />
      <rect className={css.open} width="40" height="30" rx="7" />
      <path className={css.hole} d="M20 8a4 4 0 0 1 2 7.5V22h-4v-6.5A4 4 0 0 1 20 8Z" />
    </svg>
  );
}

const HALF_HOURS = KEY_VALID_HOURS / 2;

/** The length of the mark of an hour, and of the gap after it, in hours. */
const HOUR_MARK_LENGTH = 0.72;

interface HoursRingProps {
  /** How many hours are left. */
  left: number;
  /** In so many hours before the end, the next run may begin. */
  last: number;
  isNew: boolean;
  children: ReactNode;
}

/** A ring of 24 marks, one for each hour of a key. Those that are left are lit, the last ones in another colour. */
function HoursRing({ left, last, isNew, children }: HoursRingProps) {
  return (
    <div className={css.ring} data-new={isNew}>
      <svg className={css.marks} viewBox="-50 -50 100 100" aria-hidden="true">
        <Marks hours={KEY_VALID_HOURS} />
        {/* What fills a half turns into it from the other one, of which nothing is seen. */}
        {[0, HALF_HOURS].map((first) => (
          <g key={first} transform={`rotate(${(360 * first) / KEY_VALID_HOURS})`}>
            <svg x="-50" width="100" height="50" viewBox="-50 0 100 50">
              <g className={css.lit} data-first={first}>
                <Marks hours={Math.min(left - first, HALF_HOURS)} />
                <Marks hours={Math.min(left, last) - first} isLast />
              </g>
            </svg>
          </g>
        ))}
      </svg>
      <div className={css.inside}>{children}</div>
    </div>
  );
}

function Marks({ hours, isLast }: { hours: number; isLast?: boolean }) {
  if (hours <= 0) return null;
  return <circle r="46" pathLength={KEY_VALID_HOURS} data-last={isLast} strokeDasharray={dashArrayOf(hours)} />;
}

/** The dashes of so many hours, the last one in part, and then nothing. */
function dashArrayOf(hours: number): string {
  const shown = Math.min(hours, KEY_VALID_HOURS);
  const whole = Math.floor(shown);
  const part = Math.min(shown - whole, HOUR_MARK_LENGTH);

  return `${`${HOUR_MARK_LENGTH} ${1 - HOUR_MARK_LENGTH} `.repeat(whole)}${part} ${KEY_VALID_HOURS}`;
}
