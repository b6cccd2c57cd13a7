import { readPasted } from '@app/contracts/read-pasted';
import { STATS_TOKEN_PATTERN } from '@app/contracts/stats';
import { useIsHydrated, useLocation } from '@app/platform';
import { useEffect, useState } from 'react';

const STORAGE_KEY = 'stats-token';

/** Typed, or from a link's fragment (`#token=…`), which leaves the address at once. Kept for this tab alone. */
export function useStatsToken() {
  const location = useLocation();
  const isHydrated = useIsHydrated();
  const linked = new URLSearchParams(location.hash.slice(1)).get('token');
  const [taken, setTaken] = useState<string | null>(null);
  const [token, setToken] = useState(readStoredToken);
  const [told, setTold] = useState(token ?? '');
  const [isMalformed, setIsMalformed] = useState(false);
  const [isAsked, setIsAsked] = useState(false);

  function take(text: string) {
    const read = tokenIn(text);
    setTold(text);
    setIsMalformed(read === undefined);
    if (read !== undefined) setToken(read);
  }

  // The next link can open in the same tab, without a page load.
  if (linked !== null && linked !== taken) {
    setTaken(linked);
    take(linked);
  }

  useEffect(() => {
    const { pathname, search } = window.location;
    if (linked !== null) history.replaceState(history.state, '', pathname + search);
  }, [linked, location]);

  useEffect(() => storeToken(token), [token]);

  return {
    token: isHydrated ? token : undefined,
    told: isHydrated ? told : '',
    isMalformed: isHydrated && isMalformed,
    /** Whether the visitor did something: what a page begins with takes no focus. */
    isAsked,
    tell: (text: string) => {
      setIsAsked(true);
      take(text);
    },
    forget: () => {
      setIsAsked(true);
      setToken(undefined);
      setTold('');
    },
  };
}

function tokenIn(text: string): string | undefined {
  const read = readPasted(text);
  return STATS_TOKEN_PATTERN.test(read) ? read : undefined;
}

function readStoredToken(): string | undefined {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Without storage the token works until the page is left. */
function storeToken(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, token);
  } catch {
    // Some browsers forbid it in private windows.
  }
}
