import { useEffect, useState } from 'react';

/** Most confirmations of advertisers arrive within this time. */
const LATE_AFTER_MS = 60_000;

/** The interval of the requests meanwhile. The server answers a device thirty times a minute. */
const POLL_MS = 3000;
const POLL_LATE_MS = 10_000;

/** The interval of the requests while no advertiser can be used. */
const POLL_DOWN_MS = 15_000;

interface Waiting {
  /** Whether the confirmation takes longer than usual. */
  isLate: boolean;
  /** The interval at which to ask the server, in milliseconds; undefined: not at all. */
  pollMs: number | undefined;
}

/**
 * Tells a page how often to ask the server for news.
 * @param isAwaited whether an advertiser's confirmation is still missing
 * @param isDown whether no advertiser of the step can be used
 */
export function useWaiting(isAwaited: boolean, isDown: boolean): Waiting {
  const [isLate, setIsLate] = useState(false);

  useEffect(() => {
    if (!isAwaited) return;

    const timer = setTimeout(() => setIsLate(true), LATE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isAwaited]);

  if (isAwaited) return { isLate, pollMs: isLate ? POLL_LATE_MS : POLL_MS };
  return { isLate: false, pollMs: isDown ? POLL_DOWN_MS : undefined };
}
