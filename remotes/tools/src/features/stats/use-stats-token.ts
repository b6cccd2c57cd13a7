import { readPasted } from '@app/contracts/read-pasted';
import { STATS_TOKEN_PATTERN } from '@app/contracts/stats';
import { useLocation } from '@app/platform';
import { useEffect, useEffectEvent, useState } from 'react';

const KEPT_AS = 'stats-token';

interface StatsToken {
  token: string | undefined;
  /** Whether the last text that was told is no token. */
  isMalformed: boolean;
  tell: (text: string) => void;
  forget: () => void;
}

/**
 * The token that the visitor typed, or that a link has in its fragment (`#token=…`), which no browser sends to a server
 * and which leaves the address at once. It is kept for this tab alone.
 */
export function useStatsToken(): StatsToken {
  const location = useLocation();
  const [token, setToken] = useState<string>();
  const [isMalformed, setIsMalformed] = useState(false);

  function tell(text: string) {
    const read = readPasted(text);
    const isToken = STATS_TOKEN_PATTERN.test(read);
    setIsMalformed(!isToken);
    if (!isToken) return;

    keep(read);
    setToken(read);
  }

  const find = useEffectEvent((told: string | null) => {
    if (told !== null) tell(told);
    else if (token === undefined) setToken(findKept());
  });

  useEffect(() => {
    const { pathname, search, hash } = window.location;
    const told = new URLSearchParams(hash.slice(1)).get('token');
    if (told !== null) history.replaceState(history.state, '', pathname + search);
    find(told);
  }, [location]);

  return {
    token,
    isMalformed,
    tell,
    forget() {
      keep(undefined);
      setToken(undefined);
    },
  };
}

function findKept(): string | undefined {
  try {
    return sessionStorage.getItem(KEPT_AS) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Without storage the token works until the page is left. */
function keep(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(KEPT_AS);
    else sessionStorage.setItem(KEPT_AS, token);
  } catch {
    // Some browsers forbid it in private windows.
  }
}
