import { noteFragment, useLocation } from '@app/platform';
import { useEffect, useEffectEvent } from 'react';

/**
 * Takes a key out of the fragment of the address (`#key=…&device=…`), which no browser sends to a server, and out of the
 * browser's history.
 */
export function useToldKey(take: (told: { key: string; device: string | undefined }) => void): void {
  const location = useLocation();
  const taken = useEffectEvent(take);

  useEffect(() => {
    const { hash, pathname, search } = window.location;
    const told = new URLSearchParams(hash.slice(1));
    const key = told.get('key');
    if (key === null) return;

    noteFragment(pathname, hash);
    history.replaceState(history.state, '', pathname + search);
    taken({ key, device: told.get('device') ?? undefined });
  }, [location]);
}
