import { LaunchLink } from '@app/brand-ui/launch';
import { RunKey } from '@app/brand-ui/run-key';
import { type AppId, KEY_VALID_HOURS } from '@app/contracts/key-system';
import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { Countdown } from '@app/design-system/countdown';
import { Dialog } from '@app/design-system/dialog';
import { Icon } from '@app/design-system/icon';
import layout from '@app/design-system/layout.module.css';
import { StickyAction } from '@app/design-system/sticky-action';
import text from '@app/design-system/text.module.css';
import { Link, noteFragment, useQuery } from '@app/platform';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatMoment } from '../../date.ts';
import { loadVerifier } from '../../verifier/load-verifier.ts';
import { t } from '../../words.ts';
import css from './key-moment.module.css';
import { t as tKey } from './words.ts';

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
      {elsewhereAt ? t('zone.getHere') : tKey('getkey.renew')}
    </Link>
  );

  if (isOpen)
    return (
      <>
        <div className={css.empty} />
        <Dialog
          isOpen
          stays
          title={tKey('getkey.heading')}
          onClose={() => setIsOpen(false)}
          closeLabel={tKey('getkey.close')}
          actions={
            <>
              {launch}
              {goOn}
            </>
          }
        >
          <p>{tKey('getkey.lead', { hours: KEY_VALID_HOURS })}</p>
          {elsewhereAt && <p>{t('zone.elsewhere')}</p>}
          <div className={css.inDialog}>
            <KeyTicket {...key} {...proof} arrives onEnd={onEnd} />
          </div>
        </Dialog>
      </>
    );

  return (
    <>
      <section className={layout.stack}>
        <KeptHeading />
        {elsewhereAt && <p className={text.quiet}>{t('zone.elsewhere')}</p>}
        <KeyTicket {...key} {...proof} onEnd={onEnd} />
      </section>
      <div className={layout.wrap}>
        <StickyAction inPlace>{launch}</StickyAction>
        {goOn}
        <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.plans}>
          {tKey('getkey.plans')}
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
      {tKey('getkey.ready')}
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

const HOUR_MS = 60 * 60_000;
const REDRAW_INTERVAL_MS = 60_000;

/** The length of the mark of an hour, and of the gap after it, in hours. */
const HOUR_MARK_LENGTH = 0.72;

/** A key and its device, once this browser has found its signature right. */
interface ProvenKey {
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
function KeyTicket({ of, expiresAt, serverOffsetMs, proven, isChecking, arrives = false, onEnd }: KeyTicketProps) {
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
          <p className={css.until}>{tKey('getkey.until', { moment: formatMoment(expiresAt, serverOffsetMs) })}</p>
          <p>{tKey('getkey.locked')}</p>
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
            <span>{proven ? tKey(isPhone ? 'getkey.proven' : 'getkey.provenOnComputer') : tKey('getkey.check')}</span>
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
    const timer = setInterval(() => setNow(Date.now()), REDRAW_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);

  return (
    <div className={css.ring}>
      <svg className={css.marks} viewBox="0 0 100 100" aria-hidden="true">
        {[KEY_VALID_HOURS, (expiresAt - now - serverOffsetMs) / HOUR_MS].map((hours, index) => (
          <circle
            key={index}
            cx="50"
            cy="50"
            r="46"
            pathLength={KEY_VALID_HOURS}
            strokeDasharray={dashArrayOf(hours)}
          />
        ))}
      </svg>
      <div className={css.inside}>{children}</div>
    </div>
  );
}

/** The dashes of so many hours, the last one in part, and then nothing. */
function dashArrayOf(hours: number): string {
  const left = Math.min(Math.max(hours, 0), KEY_VALID_HOURS);
  const whole = Math.floor(left);
  const part = Math.min(left - whole, HOUR_MARK_LENGTH);

  return `${`${HOUR_MARK_LENGTH} ${1 - HOUR_MARK_LENGTH} `.repeat(whole)}${part} ${KEY_VALID_HOURS}`;
}
