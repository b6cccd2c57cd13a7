import { RunKey } from '@app/brand-ui/run-key';
import { KEY_VALID_HOURS } from '@app/contracts/key-system';
import { PAGES } from '@app/contracts/pages';
import { Countdown } from '@app/design-system/countdown';
import { Icon } from '@app/design-system/icon';
import { Link, noteFragment } from '@app/platform';
import { useEffect, useState, type ReactNode } from 'react';
import { formatMoment } from '../../date.ts';
import { t } from '../../words.ts';
import { t as tell } from './words.ts';
import css from './key-ticket.module.css';

const HOUR_MS = 60 * 60_000;
const REDRAWN_MS = 60_000;

/** The length of the mark of an hour, and of the gap after it, in hours. */
const MARK = 0.72;

/** A key and its device, once this browser has found its signature right. */
export interface ProvenKey {
  key: string;
  hwid: string;
}

interface KeyTicketProps {
  of: number;
  /** When the key stops working, in epoch milliseconds by the server's clock. */
  expiresAt: number;
  serverOffsetMs: number;
  proven: ProvenKey | undefined;
  isChecking: boolean;
  arrives?: boolean;
  onEnd?: () => void;
}

/** The key that was earned: how long it still works, for which device, and the proof that it is ours. */
export function KeyTicket({
  of,
  expiresAt,
  serverOffsetMs,
  proven,
  isChecking,
  arrives = false,
  onEnd,
}: KeyTicketProps) {
  const isPhone = /Android|iPhone/.test(navigator.userAgent);

  return (
    <div className={css.ticket}>
      <div className={css.key} data-arrives={arrives}>
        <RunKey of={of} done={of} />
      </div>
      <div className={css.body}>
        <HoursRing expiresAt={expiresAt} serverOffsetMs={serverOffsetMs}>
          <Countdown endsAt={expiresAt} serverOffsetMs={serverOffsetMs} {...(onEnd && { onEnd })} />
          <span className={css.left}>{t('run.left')}</span>
        </HoursRing>
        <div className={css.text}>
          <p className={css.until}>{tell('getkey.until', { moment: formatMoment(expiresAt, serverOffsetMs) })}</p>
          <p>{tell('getkey.locked')}</p>
        </div>
        <p className={css.proof} role="status" aria-busy={isChecking}>
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
            <span>{proven ? tell(isPhone ? 'getkey.proven' : 'getkey.provenOnComputer') : tell('getkey.check')}</span>
            <Icon name="chevron" size={16} />
          </Link>
        </p>
      </div>
    </div>
  );
}

/** A ring of 24 marks, one for each hour of a key. Those that are left are lit. */
function HoursRing({
  expiresAt,
  serverOffsetMs,
  children,
}: Pick<KeyTicketProps, 'expiresAt' | 'serverOffsetMs'> & { children: ReactNode }) {
  const [now, setNow] = useState(Date.now);

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REDRAWN_MS);
    return () => clearInterval(timer);
  }, []);

  return (
    <div className={css.ring}>
      <svg className={css.marks} viewBox="0 0 100 100" aria-hidden="true">
        {[KEY_VALID_HOURS, (expiresAt - now - serverOffsetMs) / HOUR_MS].map((hours, index) => (
          <circle key={index} cx="50" cy="50" r="46" pathLength={KEY_VALID_HOURS} strokeDasharray={dashes(hours)} />
        ))}
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
