import { expect, test } from '../fixtures/site.ts';

/** A sentence or name that only the library's own code has, and that minifying keeps. */
const MARKS = {
  react: 'react.transitional.element',
  'react-dom': 'Minified React error #',
  'react-router': 'useRoutes() may be used only in the context of a <Router> component',
  zustand: 'getInitialState',
  platform: 'The site settings were not provided',
};

/** One page of each unit, walked within one document. */
const WALK = ['/v5', '/rosaverx', '/encrypter', '/key-system-1'];

test('one copy of React, router, zustand and platform serves all units in a page', async ({ page }) => {
  const scripts = new Map<string, string>();
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), await response.text());
  });

  await page.goto(WALK[0] ?? '/');
  for (const path of WALK) {
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await expect(page.locator('[data-unit] h1')).toBeVisible();
  }
  await page.waitForLoadState('networkidle');

  const names = [...scripts.keys()].map((url) => new URL(url).pathname);
  for (const unit of ['shell', 'marketing', 'companion', 'tools', 'key-system']) {
    expect(names.some((name) => name.startsWith(`/releases/${unit}/`))).toBe(true);
  }
  for (const [library, mark] of Object.entries(MARKS)) {
    const holders = [...scripts].filter(([, code]) => code.includes(mark)).map(([url]) => new URL(url).pathname);
    expect(holders, library).toEqual([expect.stringMatching(/^\/releases\/shell\//)]);
  }
});

test('the shell hands a remote one version of each package that they share', async ({ page, request }) => {
  const html = await (await request.get('/v5')).text();
  await page.addInitScript(keepShareScope, /"globalName":"(marketing\w+)"/.exec(html)?.[1] ?? '');
  await page.goto('/v5');
  await expect(page.locator('[data-unit="marketing"] h1')).toBeVisible();

  const shared = await page.evaluate(() => {
    const { shareScope } = window as unknown as { shareScope: Record<string, Record<string, unknown>> };
    return Object.fromEntries(Object.entries(shareScope).map(([name, versions]) => [name, Object.keys(versions).length]));
  });
  expect(shared).toEqual({ react: 1, 'react/jsx-runtime': 1, 'react-dom': 1, zustand: 1, '@app/platform': 1 });
});

/** Runs in the page, before its scripts: notes what a remote's container is given to share. */
function keepShareScope(globalName: string) {
  let container: { init: (shareScope: object) => unknown } | undefined;
  Object.defineProperty(window, globalName, {
    get: () => container,
    set: ({ init, ...rest }: NonNullable<typeof container>) => {
      container = {
        ...rest,
        init: (shareScope) => {
          Object.assign(window, { shareScope });
          return init(shareScope);
        },
      };
    },
  });
}
