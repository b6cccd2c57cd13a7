import { LaunchLink } from '@app/brand-ui/launch';
import { KEY_VALID_HOURS } from '@app/contracts/key-system';
import { buttonClass } from '@app/design-system/button';
import { Countdown } from '@app/design-system/countdown';
import { Dialog } from '@app/design-system/dialog';
import { Link } from '@app/platform';
import { useState } from 'react';
import { t } from '../../words.ts';
import { momentOf } from '../../moment.ts';
import { KeySign } from './key-sign.tsx';
import css from './key-window.module.css';

interface KeyWindowProps {
  /** When the key stops working, in epoch milliseconds by the server's clock. */
  expiresAt: number;
  /** The address that opens the app, and the page that offers its download. */
  links: { href: string; getFrom: string };
  /** The server's clock minus this device's, in milliseconds. */
  serverOffsetMs: number;
  /** The address where the next run begins; undefined until the key may be renewed. */
  renewAt: string | undefined;
  /** The address where a run for the zone of this page begins; undefined when the key belongs to this zone. */
  elsewhereAt: string | undefined;
  /** Called when the key has stopped working. */
  onEnd: () => void;
}

/** The dialog at the end of a run. The page behind it says the same. */
export function KeyWindow({ expiresAt, links, serverOffsetMs, renewAt, elsewhereAt, onEnd }: KeyWindowProps) {
  const [isOpen, setIsOpen] = useState(true);

  return (
    <Dialog
      isOpen={isOpen}
      stays
      title={t('getkey.heading')}
      onClose={() => setIsOpen(false)}
      closeLabel={t('getkey.close')}
      art={
        <span className={css.art}>
          <KeySign />
        </span>
      }
      actions={
        <>
          <LaunchLink {...links}>{t('getkey.launch')}</LaunchLink>
          {elsewhereAt ? (
            <Link className={buttonClass({ kind: 'quiet' })} to={elsewhereAt}>
              {t('zone.getHere')}
            </Link>
          ) : (
            renewAt && (
              <Link className={buttonClass({ kind: 'quiet' })} to={renewAt}>
                {t('getkey.renew')}
              </Link>
            )
          )}
        </>
      }
    >
      <p>{t('getkey.lead', { hours: KEY_VALID_HOURS })}</p>
      {elsewhereAt && <p>{t('zone.elsewhere')}</p>}
      <p className={css.left}>
        <span>{t('getkey.left')}</span>
        <span className={css.clock}>
          <Countdown endsAt={expiresAt} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />
        </span>
        <span>{t('getkey.until', { moment: momentOf(expiresAt, serverOffsetMs) })}</span>
      </p>
    </Dialog>
  );
}
