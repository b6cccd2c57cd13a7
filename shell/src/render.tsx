import type { KnownDevice } from '@app/contracts/device-params';
import { SHELL } from '@app/contracts/unit';
import type { Resolution } from '@app/contracts/resolution';
import type { SiteSettings } from '@app/contracts/site-settings';
import { provideKnownDevice, provideSiteSettings, type LazyPage, type RemoteModule } from '@app/platform';
import type { ComponentType, ReactElement } from 'react';
import { renderToReadableStream, renderToString } from 'react-dom/server.edge';
import { StaticRouter } from 'react-router-dom';
import { App } from './app/app.tsx';
import { PageOutlet } from './app/page-outlet.tsx';
import { pageOfRelease } from './federation/page-of-release.tsx';

export { sharedPackages } from './federation/shared-packages.ts';

interface PageToRender {
  path: string;
  /** The remote that owns the path, with its version. */
  unit: string;
  version: string;
  settings: SiteSettings;
  /** Says how much of a device the addresses name that get this HTML. A page that does not ask is the same for all. */
  device: () => KnownDevice;
}

/**
 * Renders a page of a remote in the frame, as `start-app.tsx` hydrates it. One HTML is for all visitors whose address
 * names the same parts of a device. @throws what the page throws
 */
export async function renderPage(
  remote: RemoteModule,
  { path, unit, version, settings, device }: PageToRender,
): Promise<string> {
  provideSiteSettings(settings);
  const page = loadedPage(pageOfRelease(await loadPage(remote, path, unit), { unit, version }));
  provideKnownDevice(device);
  const app = (
    <StaticRouter location={path}>
      <App resolution={resolutionOf(unit, version, path)} unitPage={() => <PageOutlet page={page} />} />
    </StaticRouter>
  );
  const html = renderToString(app);
  if (html.includes(SUSPENDED_MARK)) await throwRenderError(app);
  return html;
}

/** @throws Error that names what the remote's code lacks; only TypeScript tells its team earlier */
async function loadPage(remote: RemoteModule | undefined, path: string, unit: string): Promise<ComponentType> {
  if (!remote?.pages) throw new Error(`${unit} exports no pages: its remote.ts needs them in its default export`);
  const name = remote.routes[path];
  const load = remote.pages[name ?? ''];
  if (!load) throw new Error(`${unit} has no page at ${path}: its remote.ts has no "${name ?? ''}"`);

  const page: ComponentType | undefined = await load();
  if (!page) throw new Error(`${unit} has no page at ${path}: what its remote.ts takes for "${name}" is not exported`);
  return page;
}

/** React writes this in the place of a part that has thrown, or is not there yet, and says nothing about it. */
const SUSPENDED_MARK = '<!--$!-->';

/** Renders once more, in the way of React that tells of errors. */
async function throwRenderError(app: ReactElement): Promise<void> {
  const thrown: unknown[] = [];
  const stream = await renderToReadableStream(app, { onError: (error) => void thrown.push(error) });
  await stream.allReady;
  if (thrown.length > 0) throw thrown[0];
}

/** A page whose code is there. */
function loadedPage(component: ReturnType<typeof pageOfRelease>): LazyPage {
  return { preload: () => Promise.resolve(component), retry: () => undefined, loaded: () => component };
}

/** Only the routes and titles count: nothing is fetched. */
function resolutionOf(unit: string, version: string, path: string): Resolution {
  const release = { source: 'stable', entry: { url: '', integrity: '' } } as const;
  return {
    revision: 0,
    units: { [SHELL]: { ...release, version: '', routes: [] }, [unit]: { ...release, version, routes: [path] } },
  };
}
