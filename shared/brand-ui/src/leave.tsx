import { EARLY_LINK } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { fetchInTime, locale, showToast } from '@app/platform';
import { useEffect, useEffectEvent, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import css from './leave.module.css';
import { t } from './words.ts';

/** Says whether the server is alive. It needs neither the database nor the disk, and counts against no limit. */
const HEALTH_CHECK_PATH = '/healthz';

/** After this time, a visitor who stopped a slow page can click again. */
const NAVIGATION_TIMEOUT_MS = 20_000;

/** After this time, a visitor who was told that the server is away can retry. */
const RETRY_DELAY_MS = 1000;

/** What the page is being left for. Until a moment in milliseconds of this page, the same choice counts as one. */
let lastChoice = { what: '', until: 0 };

/** After the back button the same choice is a new one. */
function forgetChoice({ persisted }: PageTransitionEvent): void {
  if (persisted) lastChoice = { what: '', until: 0 };
}

/**
 * Leaves the page for an address of our server. When the server cannot be reached, the page stays and a toast says so:
 * the browser's own error page would take the place of ours. Of several choices the last one counts.
 * @param what the choice, by which a second tap on the same is known
 */
export async function navigateTo(address: string, what: string): Promise<void> {
  if (lastChoice.what === what && performance.now() < lastChoice.until) return;

  window.addEventListener('pageshow', forgetChoice);
  const mine = (lastChoice = { what, until: performance.now() + NAVIGATION_TIMEOUT_MS });
  const outcome = await tryToLeave(address, () => lastChoice === mine);
  if (outcome === 'ended' && lastChoice === mine) lastChoice = { what: '', until: 0 };
  if (outcome === 'left' || outcome === 'ended') return;

  // While a key is held, the toast comes once a second.
  mine.until = performance.now() + RETRY_DELAY_MS;
  showToast(t(`leave.${outcome}`));
}

/**
 * Asks whether the server is alive, and leaves for the address.
 * @param isWanted whether the visitor still wants it when the answer comes
 * @returns `ended` when the visitor wants it no more, or has gone to another page of ours
 */
async function tryToLeave(address: string, isWanted: () => boolean): Promise<'left' | 'away' | 'down' | 'ended'> {
  const { pathname } = window.location;
  const server = await checkServer();
  if (!isWanted() || window.location.pathname !== pathname) return 'ended';
  if (server !== 'alive') return server;

  window.location.assign(address);
  return 'left';
}

/** `away`: nothing answers, maybe because of the visitor's connection. `down`: a proxy answers for a server that is down. */
async function checkServer(): Promise<'alive' | 'away' | 'down'> {
  try {
    return await fetchInTime(HEALTH_CHECK_PATH, { method: 'HEAD', cache: 'no-store' }, ({ status }) =>
      Promise.resolve(status < 500 ? 'alive' : 'down'),
    );
  } catch {
    return 'away';
  }
}

/** How a page is left: `opening` from the tap on, `away` or `down` when the server did not answer. */
export interface LeaveState {
  state: 'here' | 'opening' | 'away' | 'down';
  /** The time of a retry that failed, such as `08:12`. */
  failedAgainAt: string | undefined;
  /** Leaves for an address of our server, once at a time. */
  leave: (address: string) => void;
}

/** For a `LeaveLink`, and for a page that also leaves by itself. */
export function useLeaving(): LeaveState {
  const [state, setState] = useState<LeaveState['state']>('here');
  const [failedAgainAt, setFailedAgainAt] = useState<string>();
  const isShown = useRef(true);

  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);

  useEffect(() => {
    if (state !== 'opening') return;

    const stop = () => setState('here');
    const timer = setTimeout(stop, NAVIGATION_TIMEOUT_MS);
    // The back button can bring the page back as it was left. The event also ends the first load.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && stop();
    window.addEventListener('pageshow', comeBack);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pageshow', comeBack);
    };
  }, [state]);

  async function leave(address: string) {
    if (state === 'opening') return;

    setState('opening');
    const outcome = await tryToLeave(address, () => isShown.current);
    if (outcome === 'left') return;

    setState(outcome === 'ended' ? 'here' : outcome);
    setFailedAgainAt(state === 'here' ? undefined : formatNow());
  }

  return { state, failedAgainAt, leave: (address) => void leave(address) };
}

function formatNow(): string {
  return new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date());
}

interface LeaveLinkProps {
  /** An address of our server. Undefined while there is nowhere to go; the link is disabled then. */
  href: string | undefined;
  /** What the first render knows of the address, so that the link works before the page does (`EARLY_LINK`). */
  early?: string | undefined;
  leaving: LeaveState;
  kind?: 'primary' | 'quiet';
  wide?: boolean;
  children: ReactNode;
}

/**
 * A link that leaves the page for an address of our server. It looks like a button, and says at once that it opens. When
 * the server cannot be reached, the page stays, a sentence above the link says so, and the link tries again; so
 * does the page once the connection is back.
 */
export function LeaveLink({
  href,
  early,
  leaving: { state, failedAgainAt, leave },
  children,
  ...look
}: LeaveLinkProps) {
  const retry = useEffectEvent(() => href && leave(href));

  useEffect(() => {
    if (state !== 'away') return;

    const goOn = () => void retry();
    window.addEventListener('online', goOn);
    return () => window.removeEventListener('online', goOn);
  }, [state]);

  function onClick(event: MouseEvent) {
    // A click that opens another tab or window leaves this page as it is.
    if (!href || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;

    event.preventDefault();
    leave(href);
  }

  return (
    <>
      {(state === 'away' || state === 'down') && (
        <p className={css.away} role="alert">
          <span>{t(`leave.${state}`)}</span> {failedAgainAt && <span>{t('leave.still', { time: failedAgainAt })}</span>}
        </p>
      )}
      <a
        className={buttonClass(look)}
        role="link"
        aria-disabled={!href}
        aria-busy={state === 'opening'}
        {...(href ? { href } : early && { [EARLY_LINK]: early, suppressHydrationWarning: true })}
        onClick={onClick}
      >
        {state === 'here' ? children : t(state === 'opening' ? 'leave.opening' : 'leave.retry')}
      </a>
    </>
  );
}
