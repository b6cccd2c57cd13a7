import { LaunchLink } from '@app/brand-ui/launch';
import { PAGES } from '@app/contracts/pages';
import { buttonClass, ButtonRow } from '@app/design-system/button';
import { Countdown } from '@app/design-system/countdown';
import { StickyAction } from '@app/design-system/sticky-action';
import { Link } from '@app/platform';
import { t } from '../../words.ts';
import { momentOf } from '../../moment.ts';
import css from './key-ready.module.css';
import { KeySign } from './key-sign.tsx';

interface KeyReadyProps {
  /** The address that opens the app, and the page that offers its download. */
  links: { href: string; getFrom: string };
  /** When the key stops working, in epoch milliseconds by the server's clock. */
  expiresAt: number;
  /** The server's clock minus this device's, in milliseconds. */
  serverOffsetMs: number;
}

/** The page of a working key, behind its dialog: open the app, until when the key works, and where to go from here. */
export function KeyReady({ links, expiresAt, serverOffsetMs }: KeyReadyProps) {
  return (
    <>
      <section className={css.ready}>
        <KeySign />
        <h2>{t('getkey.ready')}</h2>
        <p className={css.until}>
          <span>{t('getkey.until', { moment: momentOf(expiresAt, serverOffsetMs) })}</span>{' '}
          <span className={css.left}>
            <Countdown endsAt={expiresAt} serverOffsetMs={serverOffsetMs} /> {t('run.left')}
          </span>
        </p>
        <StickyAction inPlace>
          <LaunchLink {...links}>{t('device.openApp')}</LaunchLink>
        </StickyAction>
      </section>
      <ButtonRow>
        <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.checkKey}>
          {t('check.heading')}
        </Link>
        <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.plans}>
          {t('getkey.plans')}
        </Link>
      </ButtonRow>
    </>
  );
}
