import { RunKey } from '@app/brand-ui/run-key';
import { PAGES } from '@app/contracts/pages';
import { Countdown } from '@app/design-system/countdown';
import { Icon } from '@app/design-system/icon';
import { Link, noteFragment } from '@app/platform';
import { momentOf } from '../../moment.ts';
import { t } from '../../words.ts';
import { t as tell } from './words.ts';
import { HoursRing } from './hours-ring.tsx';
import css from './key-ticket.module.css';
import type { ProvenKey } from './use-proven-key.ts';

interface KeyTicketProps {
  /** How many steps the run had. */
  of: number;
  /** When the key stops working, in epoch milliseconds by the server's clock. */
  expiresAt: number;
  /** The server's clock minus this device's, in milliseconds. */
  serverOffsetMs: number;
  proven: ProvenKey | undefined;
  /** Whether this browser is still checking the key. */
  isChecking: boolean;
  /** Whether the key is seen arriving. */
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
        <HoursRing endsAt={expiresAt} serverOffsetMs={serverOffsetMs}>
          <Countdown endsAt={expiresAt} serverOffsetMs={serverOffsetMs} {...(onEnd && { onEnd })} />
          <span className={css.left}>{t('run.left')}</span>
        </HoursRing>
        <div className={css.words}>
          <p className={css.until}>{tell('getkey.until', { moment: momentOf(expiresAt, serverOffsetMs) })}</p>
          <p>{tell('getkey.locked')}</p>
        </div>
        <p className={css.proof} role="status" aria-busy={isChecking}>
          <Link
            className={css.proven}
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
