import type { Resolution } from '@app/contracts/resolution';
import { sampleVisit } from '../features/field-timings/sample-visit.ts';

/** A click mostly follows these: a mouse over a link, a finger on it, the focus of the keyboard. */
const INTENTS = ['pointerover', 'focusin'] as const;

/** @param preload fetches the page at a path. What is imported here from the first file would make that one larger */
export function afterHydration(resolution: Resolution, preload: (pathname: string) => void): void {
  onLinkIntent(preload);
  sampleVisit(resolution);
}

/** Calls a function with the path of each link that a visitor is about to follow, but where data is to be saved. */
export function onLinkIntent(act: (pathname: string) => void): () => void {
  const stop = new AbortController();
  for (const intent of INTENTS)
    document.addEventListener(
      intent,
      ({ target }) => {
        const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]');
        if (link && leadsToOtherPage(link) && !prefersSaveData()) act(link.pathname);
      },
      { passive: true, signal: stop.signal },
    );
  return () => stop.abort();
}

/** Whether a link leads to another page of the site, in this tab. */
function leadsToOtherPage({ origin, pathname, target }: HTMLAnchorElement): boolean {
  return origin === location.origin && pathname !== location.pathname && (target === '' || target === '_self');
}

function prefersSaveData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
