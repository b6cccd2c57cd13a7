import { LaunchLink } from '@app/brand-ui/launch';
import { KEY_VALID_HOURS, type AppId } from '@app/contracts/key-system';
import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { Dialog } from '@app/design-system/dialog';
import { StickyAction } from '@app/design-system/sticky-action';
import { Link, useQuery } from '@app/platform';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { loadVerifier } from '../../verifier/load-verifier.ts';
import { t } from '../../words.ts';
import { t as tell } from './words.ts';
import css from './key-moment.module.css';
import { KeyTicket, type ProvenKey } from './key-ticket.tsx';

interface KeyMomentProps {
  app: AppId;
  links: { href: string; getFrom: string };
  hwid: string | undefined;
  zone: string | undefined;
  of: number;
  /** When the key stops working, in epoch milliseconds by the server's clock. */
  expiresAt: number;
  serverOffsetMs: number;
  /** The address where the next run begins; undefined until the key may be renewed. */
  renewAt: string | undefined;
  /** The address where a run for the zone of this page begins; undefined when the key belongs to this zone. */
  elsewhereAt: string | undefined;
  onEnd: () => void;
  children: ReactNode;
}

/** The end of a run: a dialog over an empty page, in which the key arrives. After it is closed, the ticket stays. */
export function KeyMoment({ app, links, hwid, zone, renewAt, elsewhereAt, onEnd, children, ...key }: KeyMomentProps) {
  const [isOpen, setIsOpen] = useState(true);
  const proof = useProvenKey(elsewhereAt ? undefined : { app, hwid, zone, expiresAt: key.expiresAt });
  const launch = <LaunchLink {...links}>{t('getkey.launch')}</LaunchLink>;
  const next = elsewhereAt ?? renewAt;
  const goOn = next !== undefined && (
    <Link className={buttonClass({ kind: 'quiet' })} to={next}>
      {elsewhereAt ? t('zone.getHere') : tell('getkey.renew')}
    </Link>
  );

  if (isOpen)
    return (
      <>
        <div className={css.empty} />
        <Dialog
          isOpen
          stays
          title={tell('getkey.heading')}
          onClose={() => setIsOpen(false)}
          closeLabel={tell('getkey.close')}
          actions={
            <>
              {launch}
              {goOn}
            </>
          }
        >
          <p>{tell('getkey.lead', { hours: KEY_VALID_HOURS })}</p>
          {elsewhereAt && <p>{t('zone.elsewhere')}</p>}
          <div className={css.inDialog}>
            <KeyTicket {...key} {...proof} arrives onEnd={onEnd} />
          </div>
        </Dialog>
      </>
    );

  return (
    <>
      <section className={css.kept}>
        <KeptHeading />
        {elsewhereAt && <p className={css.elsewhere}>{t('zone.elsewhere')}</p>}
        <KeyTicket {...key} {...proof} onEnd={onEnd} />
      </section>
      <div className={css.actions}>
        <StickyAction inPlace>{launch}</StickyAction>
        {goOn}
        <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.plans}>
          {tell('getkey.plans')}
        </Link>
      </div>
      {children}
    </>
  );
}

/** Takes the focus from the dialog that was closed. */
function KeptHeading() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  return (
    <h2 ref={heading} tabIndex={-1}>
      {tell('getkey.ready')}
    </h2>
  );
}

type KeyOfDevice = Pick<KeyMomentProps, 'app' | 'hwid' | 'zone' | 'expiresAt'>;

/**
 * Fetches the key of a device, with the call and the parameters of its app, and checks it in this browser.
 * @param of undefined: there is no key for the zone of the page
 * @returns `proven` is undefined until the key was found valid, and stays so when this browser cannot check it
 */
function useProvenKey(of: KeyOfDevice | undefined): { proven: ProvenKey | undefined; isChecking: boolean } {
  const { data, isFetching } = useQuery(of?.hwid && JSON.stringify(of), async (signal) =>
    of?.hwid ? prove(of.app, of.hwid, of.zone, signal) : undefined,
  );
  return { proven: data, isChecking: isFetching };
}

async function prove(app: AppId, hwid: string, zone: string | undefined, signal: AbortSignal) {
  const { fetchKey, openVerifier } = await loadVerifier();
  const [key, verifier] = await Promise.all([fetchKey(app, { hwid, zone }, signal), openVerifier()]);
  if (key === undefined) return undefined;

  const { finding } = await verifier.check({ key, hwid });
  return finding.code === 'VALID' && finding.app === app ? { key, hwid } : undefined;
}
