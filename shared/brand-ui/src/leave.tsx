import { buttonClass } from '@app/design-system/button';
import { showConfirm } from '@app/design-system/confirm';
import { useEffect, useState, type MouseEvent, type ReactNode } from 'react';
import { t } from './words.ts';

/** Says whether the server is alive. It needs neither the database nor the disk, and counts against no limit. */
const ALIVE = '/healthz';

/** A server that has not answered after this time counts as out of reach. */
const ANSWERS_WITHIN_MS = 10_000;

/** Whoever stops a slow page may press again after this time. */
const OPENS_WITHIN_MS = 15_000;

/**
 * Leaves the page for an address of our server. While the server cannot be reached the page stays, and a dialog offers
 * to try again: the browser's own error page would take the place of ours.
 * @param onOpening called with whether the page is being left
 */
export async function leaveFor(address: string, onOpening?: (isOpening: boolean) => void): Promise<void> {
  onOpening?.(true);
  if (await isAlive()) return window.location.assign(address);

  onOpening?.(false);
  const triesAgain = await showConfirm({
    title: t('leave.title'),
    text: t('leave.text'),
    ok: t('leave.retry'),
    cancel: t('leave.stay'),
  });
  if (triesAgain) await leaveFor(address, onOpening);
}

/** An answer of a proxy in front of a server that is down is none of the server. */
async function isAlive(): Promise<boolean> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ANSWERS_WITHIN_MS);
  try {
    const { status } = await fetch(ALIVE, { method: 'HEAD', cache: 'no-store', signal: limit.signal });
    return status < 500;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** How a page is left: `leave` does what `leaveFor` does, once at a time. */
export interface Leaving {
  isOpening: boolean;
  leave: (address: string) => void;
}

/** For a `LeaveLink`, and for a page that also leaves by itself. */
export function useLeaving(): Leaving {
  const [isOpening, setIsOpening] = useState(false);

  useEffect(() => {
    if (!isOpening) return;

    const stop = () => setIsOpening(false);
    const timer = setTimeout(stop, OPENS_WITHIN_MS);
    // The back button can bring the page back as it was left.
    window.addEventListener('pageshow', stop);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pageshow', stop);
    };
  }, [isOpening]);

  function leave(address: string) {
    if (!isOpening) void leaveFor(address, setIsOpening);
  }

  return { isOpening, leave };
}

interface LeaveLinkProps {
  /** An address of our server. Undefined while there is nowhere to go; the link is disabled then. */
  href: string | undefined;
  leaving: Leaving;
  kind?: 'primary' | 'quiet';
  wide?: boolean;
  children: ReactNode;
}

/** A link that leaves the page for an address of our server. It looks like a button, and says at once that it opens. */
export function LeaveLink({ href, leaving, children, ...look }: LeaveLinkProps) {
  function onClick(event: MouseEvent) {
    // A click that opens another tab or window leaves this page as it is.
    if (!href || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;

    event.preventDefault();
    leaving.leave(href);
  }

  return (
    <a
      className={buttonClass(look)}
      role="link"
      aria-disabled={!href}
      aria-busy={leaving.isOpening}
      {...(href && { href })}
      onClick={onClick}
    >
      {leaving.isOpening ? t('leave.opening') : children}
    </a>
  );
}
