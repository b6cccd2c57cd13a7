import { SITE_SETTINGS } from '@app/testing/site-settings';
import { siteSettings, useKnownDevice, type RemoteModule } from '@app/platform';
import { lazy, Suspense, type ComponentType } from 'react';
import { expect, test } from 'vitest';
import { renderPage } from './render.tsx';

/** Renders a page of the unit `news`. */
function render(page: ComponentType, changes: Partial<Parameters<typeof renderPage>[1]> = {}): Promise<string> {
  return renderRemote(
    { routes: { '/news': 'news-page' }, pages: { 'news-page': () => Promise.resolve(page) } },
    changes,
  );
}

function renderRemote(remote: RemoteModule, changes: Partial<Parameters<typeof renderPage>[1]> = {}): Promise<string> {
  return renderPage(remote, {
    path: '/news',
    unit: 'news',
    version: '1.0.0',
    settings: SITE_SETTINGS,
    device: () => 'none',
    ...changes,
  });
}

test('a page is rendered within the frame', async () => {
  const html = await render(() => <h1>News</h1>);

  expect(html).toContain('<div data-unit="news" data-version="1.0.0"><h1>News</h1></div>');
  expect(html).toContain('<nav');
});

test.each([
  { lacks: 'its pages', remote: undefined, says: 'news exports no pages' },
  { lacks: 'a page of its routes', remote: { routes: { '/news': 'news-page' }, pages: {} }, says: '"news-page"' },
  {
    lacks: 'the export of a page',
    remote: { routes: { '/news': 'news-page' }, pages: { 'news-page': () => Promise.resolve(undefined) } },
    says: 'news has no page at /news: what its remote.ts takes for "news-page" is not exported',
  },
])('rejects a remote without $lacks', async ({ remote, says }) => {
  await expect(renderRemote(remote as unknown as RemoteModule)).rejects.toThrow(says);
});

test('rejects with the error that any part of the page throws', async () => {
  function Deep(): never {
    throw new Error('no heading');
  }
  function Page() {
    return (
      <Suspense>
        <Deep />
      </Suspense>
    );
  }

  await expect(render(Page)).rejects.toThrow('no heading');
});

test('a lazy part that the server cannot render is left to the browser', async () => {
  const Late = lazy(() => Promise.resolve({ default: () => <p>late</p> }));
  const html = await render(() => (
    <Suspense fallback={<p>soon</p>}>
      <Late />
    </Suspense>
  ));

  expect(html).toContain('<p>soon</p>');
});

test('a page is rendered with its settings and the known device', async () => {
  const Page = () => (
    <p>
      {useKnownDevice()} {siteSettings().launchUrl}
    </p>
  );

  for (const device of ['zoned', 'none'] as const) {
    const settings = { ...SITE_SETTINGS, launchUrl: `app://${device}` };
    expect((await render(Page, { device: () => device, settings })).replaceAll('<!-- -->', '')).toContain(
      `<p>${device} app://${device}</p>`,
    );
  }
});
