import { LaunchLink } from '@app/brand-ui/launch';
import { type AppId, KEY_VALID_HOURS } from '@app/contracts/key-system';
import type { RunState } from '@app/contracts/key-system-schemas';
import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { Countdown, formatSpoken } from '@app/design-system/countdown';
import { Dialog } from '@app/design-system/dialog';
import { Icon } from '@app/design-system/icon';
import layout from '@app/design-system/layout.module.css';
import { StickyAction } from '@app/design-system/sticky-action';
import text from '@app/design-system/text.module.css';
import { Link, useQuery } from '@app/platform';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { loadVerifier } from '../../verifier/load-verifier.ts';
import { t } from '../../words.ts';
import { KeyTicket, type ProvenKey } from './key-ticket.tsx';
import css from './key-moment.module.css';
import { t as tKey } from './words.ts';

interface KeyMomentProps {
  app: AppId;
  links: { href: string; getFrom: string };
  hwid: string | undefined;
  zone: string | undefined;
  /** Where the steps to the next key begin. */
  begin: string;
  of: number;
  known: NonNullable<RunState['key']>;
  serverOffsetMs: number;
  onEnd: () => void;
  children: ReactNode;
}

/** The end of a run: a dialog over an empty page, in which the key arrives. After it is closed, the ticket stays. */
export function KeyMoment(props: KeyMomentProps) {
  const { app, links, hwid, zone, begin, of, known, serverOffsetMs, onEnd, children } = props;
  const [isOpen, setIsOpen] = useState(true);
  // It works for another link of the app than the one that was opened.
  const isElsewhere = known.zone !== 'same';
  const proof = useProvenKey(isElsewhere ? undefined : { app, hwid, zone, expiresAt: known.expiresAt });
  const isEnding = known.renewable && !isElsewhere;
  const launch = (
    <LaunchLink {...links} kind={isEnding ? 'quiet' : 'primary'}>
      {t('getkey.launch')}
    </LaunchLink>
  );
  const hint = isElsewhere ? <p>{t('zone.elsewhere')}</p> : <Hint isFetched={known.isFetched === true} />;
  const ticket = { app, of, known, serverOffsetMs, ...proof, onEnd };
  const goOn = (isElsewhere || known.renewable) && (
    <Link className={buttonClass({ kind: isEnding ? 'primary' : 'quiet' })} to={begin}>
      {isElsewhere ? t('zone.getHere') : tKey('getkey.renew')}
    </Link>
  );

  const [main, other] = isEnding ? [goOn, launch] : [launch, goOn];

  if (isOpen)
    return (
      <>
        <div className={css.empty} />
        <Dialog
          isOpen
          stays
          title={tKey(isEnding ? 'getkey.ending' : 'getkey.heading')}
          onClose={() => setIsOpen(false)}
          closeLabel={tKey('getkey.close')}
          actions={
            <>
              {main}
              {other}
            </>
          }
        >
          {hint}
          <div className={css.inDialog}>
            <KeyTicket {...ticket} arrives />
          </div>
          <p className={text.note}>
            {isEnding ? (
              <Countdown endsAt={known.expiresAt} serverOffsetMs={serverOffsetMs} format={formatLeft} />
            ) : (
              tKey('getkey.lead', { hours: KEY_VALID_HOURS })
            )}
          </p>
        </Dialog>
      </>
    );

  return (
    <>
      <section className={layout.stack}>
        <KeptHeading>{tKey(isEnding ? 'getkey.ending' : 'getkey.ready')}</KeptHeading>
        {hint}
        <KeyTicket {...ticket} />
      </section>
      <div className={layout.wrap}>
        <StickyAction inPlace>{main}</StickyAction>
        {other}
        <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.plans}>
          {tKey('getkey.plans')}
        </Link>
      </div>
      {children}
    </>
  );
}

function formatLeft(leftMs: number): string {
  return tKey('getkey.endingLead', { time: formatSpoken(leftMs) });
}

/** What there is left to do. Both texts have their place from the start, so that nothing moves. */
function Hint({ isFetched }: { isFetched: boolean }) {
  return (
    <p className={css.hint} role="status">
      <span data-off={isFetched} aria-hidden={isFetched}>
        {tKey('getkey.hint')}
      </span>
      <span className={css.fetched} data-off={!isFetched} aria-hidden={!isFetched}>
        <Icon name="check" />
        {tKey('getkey.fetched')}
      </span>
    </p>
  );
}

/** Takes the focus from the dialog that was closed. */
function KeptHeading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}

type KeyOfDevice = Pick<KeyMomentProps, 'app' | 'hwid' | 'zone'> & { expiresAt: number };

/**
 * Fetches the key of a device, with the call and the parameters of its app, and checks it in this browser.
 * @param of undefined: there is no key for the zone of the page
 * @returns `proven` is undefined until the key was found valid, and stays so when this browser cannot check it
 */
function useProvenKey(of: KeyOfDevice | undefined): { proven: ProvenKey | undefined; isChecking: boolean } {
  const { data, isFetching } = useQuery(of?.hwid && JSON.stringify(of), async (signal) =>
    of?.hwid ? verifyKeyOfDevice(of.app, of.hwid, of.zone, signal) : undefined,
  );
  return { proven: data, isChecking: isFetching };
}

async function verifyKeyOfDevice(app: AppId, hwid: string, zone: string | undefined, signal: AbortSignal) {
  const { fetchKey, openVerifier } = await loadVerifier();
  const [key, verifier] = await Promise.all([fetchKey(app, { hwid, zone }, signal), openVerifier()]);
  if (key === undefined) return undefined;

  const { finding } = await verifier.check({ key, hwid });
  return finding.code === 'VALID' && finding.app === app ? { key, hwid } : undefined;
}
