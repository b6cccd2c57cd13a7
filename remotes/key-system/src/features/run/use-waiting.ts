import { useEffect, useState } from 'react';

/** How long an advertiser's confirmation mostly takes at most. */
const LATE_AFTER_MS = 60_000;

/** How often to look meanwhile; the server answers a device thirty times a minute. */
const LOOK_EVERY_MS = 3000;
const LOOK_LATE_EVERY_MS = 10_000;

/** How often to look whether an advertiser can be used again. */
const LOOK_DOWN_EVERY_MS = 15_000;

interface Waiting {
  /** It takes longer than it mostly does. */
  isLate: boolean;
  /** How often to ask for news; undefined for not at all. */
  lookEveryMs: number | undefined;
}

/** How a page waits for news: of an advertiser's confirmation, or of an advertiser that cannot be used. */
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

  if (isAwaited) return { isLate, lookEveryMs: isLate ? LOOK_LATE_EVERY_MS : LOOK_EVERY_MS };
  return { isLate: false, lookEveryMs: isDown ? LOOK_DOWN_EVERY_MS : undefined };
}
