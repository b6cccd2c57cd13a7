import { settled } from '../fixtures/settled.ts';
import { MATRIX } from '../fixtures/tags.ts';
import { expect, test } from '../fixtures/site.ts';

/** For each library, a text that only its code contains and that minifying keeps. */
const MARKS = {
  react: 'react.transitional.element',
  'react-dom': 'Minified React error #',
  'react-router': 'useLocation() may be used only in the context of a <Router> component',
  zustand: 'getInitialState',
  platform: 'The site settings were not provided',
};

/** One page of each unit, visited one after the other without a page load. */
const WALK = { marketing: '/v5', companion: '/rosaverx', tools: '/encrypter', 'key-system': '/key-system-1' };

test('one copy of React, router, zustand and platform serves all units in a page, and chunks come from static/js', async ({
  page,
}) => {
  const scripts = new Map<string, string>();
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), await response.text());
  });

  await page.goto(WALK.marketing);
  for (const [unit, path] of Object.entries(WALK)) {
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await expect(page.locator(`[data-unit="${unit}"] h1`)).toBeVisible();
  }
  await settled(page);

  for (const unit of ['shell', ...Object.keys(WALK)]) {
    await expect
      .poll(() => [...scripts.keys()].some((url) => new URL(url).pathname.startsWith(`/releases/${unit}/`)), unit)
      .toBe(true);
  }
  const chunks = [...scripts.keys()]
    .map((url) => new URL(url).pathname)
    .filter((path) => !path.includes('/remoteEntry.'));
  expect(chunks.filter((path) => !path.includes('/static/js/'))).toEqual([]);

  for (const [library, mark] of Object.entries(MARKS)) {
    const holders = [...scripts].filter(([, code]) => code.includes(mark)).map(([url]) => new URL(url).pathname);
    expect(holders, library).toEqual([expect.stringMatching(/^\/releases\/shell\//)]);
  }
});

test('the share scope of the page has one version of each, and remotes use the shell’s', async ({ page }) => {
  await page.goto('/v5');
  await expect(page.locator('[data-unit="marketing"] h1')).toBeVisible();

  const shared = await page.evaluate(() => {
    const { __FEDERATION__: federation } = globalThis as unknown as {
      __FEDERATION__: {
        __INSTANCES__: { name: string; shareScopeMap: Record<string, Record<string, Record<string, unknown>>> }[];
      };
    };
    const scope = federation.__INSTANCES__[0]?.shareScopeMap['default'] ?? {};
    return Object.fromEntries(Object.entries(scope).map(([name, versions]) => [name, Object.keys(versions).length]));
  });

  expect(shared).toEqual({ react: 1, 'react/jsx-runtime': 1, 'react-dom': 1, zustand: 1, '@app/platform': 1 });
});

test('the federation runtime does not ask the storage whether the page is debugged: that takes a slow phone 20 ms', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const asked: string[] = [];
    const getItem = Reflect.get(Storage.prototype, 'getItem');
    Storage.prototype.getItem = function (key) {
      asked.push(key);
      return getItem.call(this, key);
    };
    Object.assign(globalThis, { asked });
  });
  await page.goto('/v5');

  const asked = await page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
  expect(asked).not.toContain('FEDERATION_DEBUG');
});

for (const [unit, path] of Object.entries(WALK)) {
  test(
    `a page of ${unit} fetches the entry of its own unit and no other’s`,
    { tag: unit === 'marketing' ? [] : MATRIX },
    async ({ page }) => {
      const entries = new Set<string>();
      page.on('request', (request) => {
        const entry = /\/releases\/([^/]+)\/.*remoteEntry\./.exec(request.url())?.[1];
        if (entry) entries.add(entry);
      });

      await page.goto(path);
      await expect(page.locator(`[data-unit="${unit}"] h1`)).toBeVisible();
      await settled(page);
      expect([...entries]).toEqual([unit]);
    },
  );
}
