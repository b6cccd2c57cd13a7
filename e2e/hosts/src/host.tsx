import { provideSiteSettings, Router, type RemoteModule } from '@app/platform';
import { useState, type ComponentType } from 'react';
import { createRoot } from 'react-dom/client';

interface Loading {
  /** The remote, as the federation gives it; asked `again` after a failure. */
  load: (again: boolean) => Promise<{ default: RemoteModule }>;
  /** Fetches the unit's files ahead. */
  preload: () => Promise<unknown>;
}

/**
 * A host as another team would write it, with nothing of the shell. It shows the page of its own path when it is asked to,
 * as often as its query `places` says; with `preloads` it fetches the unit's files ahead. What fails can be tried again.
 */
export async function startHost({ load, preload }: Loading): Promise<void> {
  provideSiteSettings({
    launchUrl: 'about:blank',
    chunkTimeoutMs: 10_000,
    contentUrl: '/content',
    contentApiUrl: '/content-api',
    captcha: { provider: 'altcha' },
  });

  async function loadPage(again: boolean): Promise<ComponentType> {
    const { routes, pages } = (await load(again)).default;
    const page = await pages[routes[location.pathname] ?? '']?.();
    if (!page) throw new Error('The remote has no such page');
    return page;
  }

  const asked = new URLSearchParams(location.search);
  if (asked.has('preloads')) await preload();
  for (let place = 0; place < Number(asked.get('places') ?? 1); place++)
    createRoot(document.body.appendChild(document.createElement('div'))).render(
      <Router>
        <Place loadPage={loadPage} />
      </Router>,
    );
}

function Place({ loadPage }: { loadPage: (again: boolean) => Promise<ComponentType> }) {
  const [{ Page, error }, setLoaded] = useState<{ Page?: ComponentType; error?: Error & { type?: string } }>({});
  if (Page) return <Page />;

  function show() {
    loadPage(error !== undefined).then(
      (loaded) => setLoaded({ Page: loaded }),
      (failure: Error) => setLoaded({ error: failure }),
    );
  }
  return (
    <>
      {error && <p role="alert">{`${error.name}: ${error.message} type: ${error.type}`}</p>}
      <button onClick={show}>{error ? 'Try again' : 'Show'}</button>
    </>
  );
}
