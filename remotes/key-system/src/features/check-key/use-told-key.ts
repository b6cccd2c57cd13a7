import { fragmentOf, noteFragment, useLocation } from '@app/platform';
import { useEffect, useEffectEvent } from 'react';

/**
 * Takes the key that the page is opened with: from the page of an earned key, which hands it over in memory, or from the
 * fragment of the address (`#key=…&device=…`), which no browser sends to a server. It leaves the address at once; the
 * browser's history may keep what a link from elsewhere had.
 */
export function useToldKey(take: (told: { key: string; device: string | undefined }) => void): void {
  const location = useLocation();
  const taken = useEffectEvent(take);

  useEffect(() => {
    const { pathname, search } = window.location;
    const fragment = fragmentOf(window.location);
    const told = new URLSearchParams(fragment.slice(1));
    const key = told.get('key');
    if (key === null) return;

    noteFragment(pathname, fragment);
    history.replaceState(history.state, '', pathname + search);
    taken({ key, device: told.get('device') ?? undefined });
  }, [location]);
}
