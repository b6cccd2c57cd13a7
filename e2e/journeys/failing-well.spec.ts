import type { APIRequestContext, Page, Route } from '@playwright/test';
import { violations } from '../fixtures/axe.ts';
import { hydrated } from '../fixtures/held-page.ts';
import { serveLossy } from '../fixtures/lossy-proxy.ts';
import { MAIN } from '../fixtures/tags.ts';
import { renderInBrowser } from '../fixtures/render-in-browser.ts';
import { expect, test, type Site } from '../fixtures/site.ts';

/** Pages of two units. */
const PATH = '/encrypter';
const HEADING = 'Script encrypter';
const OTHER = { path: '/plans', heading: 'Pick your plan' };

const notFound = (route: Route) => route.fulfill({ status: 404, body: '' });

/** The types of a failed load, and the one that Chromium takes for none. */
const FAILURES = [
  { name: 'its entry has another hash', file: 'remoteEntry\\.[^/]*\\.js', fail: changed, type: 'error' },
  { name: 'its chunk is not found', file: 'encrypter-page\\.[^/]*\\.js', fail: notFound, type: 'error' },
  {
    name: 'its chunk does not answer',
    file: 'encrypter-page\\.[^/]*\\.js',
    fail: () => Promise.resolve(),
    type: 'timeout',
  },
  {
    name: 'its stylesheet is HTML',
    file: 'encrypter-page\\.[^/]*\\.css',
    fail: (route: Route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    type: 'error',
  },
] as const;

/** The server answers, so no visitor is told to check the connection. */
const BLAME = { error: /^That’s on us/, timeout: /^The page took too long/ };

for (const { name, file, fail, type } of FAILURES)
  test(`when ${name}, a page says so, is read out, and comes back by Retry from the keyboard`, async ({ page }) => {
    await renderInBrowser(page);
    if (type === 'timeout') await page.clock.install();
    const failing = new RegExp(`/releases/tools/.*${file}`);
    await page.route(failing, fail);

    // With a request that gets no answer, the page never reaches the state "loaded".
    await page.goto(PATH, { waitUntil: 'commit' });
    if (type === 'timeout') await waitForTheTimeout(page);
    await expect(page.getByRole('heading', { level: 1, name: 'This page didn’t load' })).toBeFocused();
    await expect(page.getByRole('alert').getByText(BLAME[type])).toBeVisible();
    await page.getByText('Details', { exact: true }).click();
    await expect(page.getByText(new RegExp(`^Loading chunk \\S+ failed \\(${type}\\)$`))).toBeVisible();
    await expectNavbarWorks(page);

    await page.unroute(failing);
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Retry' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: HEADING })).toBeFocused();
  });

test('a page that throws in its render says so, and other pages work', async ({ page }) => {
  await withoutIntegrity(page);
  await page.route(/\/releases\/tools\/.*encrypter-page\.[^/]*\.js/, throwInRender);
  await page.goto(PATH);
  await expect(page.getByRole('heading', { level: 1, name: 'This page stopped working' })).toBeVisible();
  await expectNavbarWorks(page);

  await page.goto(OTHER.path);
  await expect(page.getByRole('heading', { level: 1, name: OTHER.heading })).toBeVisible();
});

test('a page of another unit works while tools is away', { tag: MAIN }, async ({ page }) => {
  await renderInBrowser(page);
  await page.route(/\/releases\/tools\//, notFound);
  await page.goto(PATH);
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();

  await goInside(page, OTHER.path);
  await expect(page.getByRole('heading', { level: 1, name: OTHER.heading })).toBeVisible();
});

test('a failure that passes is retried at another URL without a notice', async ({ page }) => {
  const asked: string[] = [];
  await page.route(/\/releases\/tools\/.*remoteEntry/, async (route) => {
    asked.push(new URL(route.request().url()).search);
    // The preload and the script share the first answer.
    if (asked.at(-1) === '') await route.fulfill({ status: 503 });
    else await route.continue();
  });

  await page.goto('/encrypter');

  await expect(page.getByRole('heading', { level: 1, name: 'Script encrypter' })).toBeVisible();
  expect(asked.filter((search) => search !== '')).toEqual(['?retry=1']);
});

test('when the shell itself is away, the page says so and offers a reload', { tag: MAIN }, async ({ page }) => {
  await page.route(/\/releases\/shell\/.*\.js/, notFound);
  // A page of the shell itself is not rendered ahead.
  await page.goto('/qa');

  await expect(page.getByText('This page didn’t start.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reload' })).toHaveAttribute('href', '');
});

/** A proxy that cuts off the first answers for the shell's script, which caches keep: it never changes. */
async function serveCut(site: Site, request: APIRequestContext, count: number) {
  const document = await (await request.get('/v5')).text();
  const file = /<script defer[^>]* src="([^"]*\/shell\.\w+\.js)"/.exec(document)?.[1] ?? '';
  const whole = await (await request.get(file)).body();
  let asked = 0;
  const proxy = await serveLossy(site.url, (url, res) => {
    if (url !== file || ++asked > count) return false;
    res.setHeader('content-type', 'text/javascript; charset=utf-8');
    res.setHeader('cache-control', 'public, max-age=31536000, immutable').end(whole.subarray(0, -30));
    return true;
  });
  return { proxy, countAsked: () => asked };
}

test(
  'one failed request for the shell’s script is retried once without a notice',
  { tag: MAIN },
  async ({ page, site, request }) => {
    const { proxy, countAsked } = await serveCut(site, request, 1);
    for (const path of ['/v5', '/plans']) {
      await page.goto(proxy.url + path);
      await expect(hydrated(page)).toBeVisible();
    }
    await page.reload();
    await expect(hydrated(page)).toBeVisible();
    expect(countAsked()).toBe(2);
    proxy.close();
  },
);

test('two failed requests for the shell’s script are reported at once, and Reload loads the page', async ({
  page,
  site,
  request,
}) => {
  const { proxy } = await serveCut(site, request, 2);
  await page.goto(`${proxy.url}/v5`, { waitUntil: 'commit' });
  await expect(page.getByText('Some parts of this page don’t work yet.')).toBeVisible();

  await page.getByRole('link', { name: 'Reload' }).click();
  await expect(hydrated(page)).toBeVisible();
  proxy.close();
});

test('an entry without a hash is refused, in an accessible view', async ({ page }) => {
  await renderInBrowser(page, (html) =>
    html.replace(/("url":"\/releases\/marketing\/[^"]*","integrity":)"[^"]*"/, '$1""'),
  );
  await page.goto('/plans');

  await page.getByText('Details', { exact: true }).click();
  await expect(page.getByText('Loading chunk marketing failed (missing)')).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

/** Lets the 120 s pass that a chunk has, and checks that three seconds earlier there was no error yet. */
async function waitForTheTimeout(page: Page) {
  // The frame appears after a second, without the page.
  await expect(page.getByRole('link', { name: 'Arceus X', exact: true })).toBeVisible();
  await page.clock.runFor(117_000);
  await expect(page.getByText('Still loading')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
  await page.clock.runFor(3000);
}

async function expectNavbarWorks(page: Page) {
  await expect(page.getByRole('link', { name: 'Arceus X', exact: true })).toBeVisible();
  const menu = page.getByLabel('Menu', { exact: true });
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Discord' });
  await menu.click();
  await expect(link).toBeVisible();
  await menu.click();
  // Until it is closed, the page behind it takes no focus.
  await expect(link).toBeHidden();
}

/** Goes to another page without a page load, like the router. */
async function goInside(page: Page, path: string) {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

async function changed(route: Route) {
  const text = await (await route.fetch()).text();
  await route.fulfill({ contentType: 'text/javascript', body: `${text};` });
}

/** Switches the integrity check off, because the page would refuse the changed file. */
async function withoutIntegrity(page: Page) {
  await page.addInitScript(() => {
    Object.defineProperty(HTMLScriptElement.prototype, 'integrity', { set: () => {} });
  });
}

async function throwInRender(route: Route) {
  const text = await (await route.fetch()).text();
  await route.fulfill({
    contentType: 'text/javascript',
    body: text.replaceAll('"h1"', '(()=>{throw new Error("planted")})()'),
  });
}
