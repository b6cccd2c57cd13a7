import { readPasted } from '@app/contracts/read-pasted';
import { useIsHydrated, useLocation } from '@app/platform';
import { useEffect, useState } from 'react';

/**
 * Reads the token of a link in a mail, takes it out of the address, and keeps it in memory only: not in the browser's
 * history, on no screenshot, and in no request but the body of ours.
 * @returns null when the address has none, and undefined before hydration
 */
export function useLinkToken(): string | null | undefined {
  const location = useLocation();
  const found = readPasted(new URLSearchParams(location.hash.slice(1)).get('t') ?? '') || null;
  const [token, setToken] = useState(found);
  // The next link of a mail can open in the same tab, without a page load.
  if (found !== null && found !== token) setToken(found);

  useEffect(() => {
    const { hash, pathname, search } = window.location;
    if (hash) history.replaceState(history.state, '', pathname + search);
  }, [location]);

  return useIsHydrated() ? token : undefined;
}
