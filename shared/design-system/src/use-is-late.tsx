import { useEffect, useState } from 'react';

/** Most confirmations of advertisers and payments arrive within this time. */
const LATE_TIMEOUT_MS = 60_000;

/** Whether something has been awaited for longer than usual. */
export function useIsLate(isAwaited: boolean): boolean {
  const [isLate, setIsLate] = useState(false);

  useEffect(() => {
    if (!isAwaited) return;

    const timer = setTimeout(() => setIsLate(true), LATE_TIMEOUT_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isAwaited]);

  return isLate;
}
