import { readPasted } from '@app/contracts/read-pasted';
import { LINK_TOKEN_PATTERN } from '@app/contracts/till';
import { useIsHydrated, useLocation } from '@app/platform';
import { useEffect, useState } from 'react';

/**
 * Reads the token of a link in a mail, takes it out of the address, and keeps it in memory only: not in the browser's
 * history, on no screenshot, and in no request but the body of ours.
 * @returns null when the address has no whole one, and undefined before hydration
 */
export function useLinkToken(): string | null | undefined {
  const location = useLocation();
  const read = readPasted(new URLSearchParams(location.hash.slice(1)).get('t') ?? '');
  const found = LINK_TOKEN_PATTERN.test(read) ? read : null;
  const [token, setToken] = useState(found);
  // The next link of a mail can open in the same tab, without a page load.
  if (found !== null && found !== token) setToken(found);

  useEffect(() => {
    const { hash, pathname, search } = window.location;
    if (hash) history.replaceState(history.state, '', pathname + search);
  }, [location]);

  return useIsHydrated() ? token : undefined;
}
