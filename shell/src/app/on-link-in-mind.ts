/** A click mostly follows these: a mouse over a link, a finger on it, the focus of the keyboard. */
const SIGNS = ['pointerover', 'focusin'] as const;

/**
 * Calls a function with the path of each link of the site that a visitor is about to follow, so that its page can be
 * fetched before. Not where the visitor asked the browser to save data.
 * @param act may be called with the same path again
 * @returns a function that stops this
 */
export function onLinkInMind(act: (pathname: string) => void): () => void {
  const leaving = new AbortController();
  for (const sign of SIGNS)
    document.addEventListener(
      sign,
      ({ target }) => {
        const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]');
        if (link && staysHere(link) && !savesData()) act(link.pathname);
      },
      { passive: true, signal: leaving.signal },
    );
  return () => leaving.abort();
}

/** Whether a link leads to another page of the site, in this tab. */
function staysHere({ origin, pathname, target }: HTMLAnchorElement): boolean {
  return origin === location.origin && pathname !== location.pathname && (target === '' || target === '_self');
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
