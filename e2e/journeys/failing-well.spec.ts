import type { APIRequestContext, Page, Route } from '@playwright/test';
import { violations } from '../fixtures/axe.ts';
import { hydrated } from '../fixtures/held-page.ts';
import { serveLossy } from '../fixtures/lossy-proxy.ts';
import { MAIN, MATRIX } from '../fixtures/tags.ts';
import { renderInBrowser } from '../fixtures/render-in-browser.ts';
import { expect, test, type Site } from '../fixtures/site.ts';

/** A page of each remote, and a page of another remote to visit afterwards. */
const UNITS = [
  {
    unit: 'marketing',
    path: '/plans',
    chunk: 'plans-page',
    heading: 'Upgrade your plan',
    other: '/encrypter',
    otherHeading: 'Script encrypter',
  },
  {
    unit: 'companion',
    path: '/rosaverx',
    chunk: 'companion-page',
    heading: 'RosaverX',
    other: '/plans',
    otherHeading: 'Upgrade your plan',
  },
  {
    unit: 'key-system',
    path: '/key-system-bypass',
    chunk: 'bypass-page',
    heading: 'Bypass detected!',
    other: '/plans',
    otherHeading: 'Upgrade your plan',
  },
  {
    unit: 'tools',
    path: '/encrypter',
    chunk: 'encrypter-page',
    heading: 'Script encrypter',
    other: '/plans',
    otherHeading: 'Upgrade your plan',
  },
];

const ENTRY = 'remoteEntry\\.[^/]*\\.js';

type Failure = {
  name: string;
  file: (chunk: string) => string;
  fail: (route: Route) => Promise<void>;
  type: 'error' | 'timeout';
};

const notFound = (route: Route) => route.fulfill({ status: 404, body: '' });
const never = () => Promise.resolve();
const FAILURES: Failure[] = [
  { name: 'its entry is not found', file: () => ENTRY, fail: notFound, type: 'error' },
  { name: 'its entry is cut off', file: () => ENTRY, fail: cutOff, type: 'error' },
  {
    name: 'its entry is HTML',
    file: () => ENTRY,
    fail: (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    type: 'error',
  },
  { name: 'its entry has another hash', file: () => ENTRY, fail: changed, type: 'error' },
  { name: 'its entry does not answer', file: () => ENTRY, fail: never, type: 'timeout' },
  { name: 'its chunk is not found', file: (chunk) => `${chunk}\\.[^/]*\\.js`, fail: notFound, type: 'error' },
  { name: 'its chunk does not answer', file: (chunk) => `${chunk}\\.[^/]*\\.js`, fail: never, type: 'timeout' },
  {
    name: 'its stylesheet is HTML',
    file: (chunk) => `${chunk}\\.[^/]*\\.css`,
    fail: (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    type: 'error',
  },
  { name: 'its stylesheet is not found', file: (chunk) => `${chunk}\\.[^/]*\\.css`, fail: notFound, type: 'error' },
];

/** The server answers, so no visitor is told to check the connection. */
const BLAME = { error: /^That’s on us/, timeout: /^The page took too long/ };

/** The types of a failed load, and the one that Chromium takes for none; the others are further ways to the same. */
const KINDS = ['its entry has another hash', 'its chunk does not answer', 'its stylesheet is HTML'];

for (const { name, file, fail, type } of FAILURES) {
  const tag = KINDS.includes(name) ? [] : MATRIX;

  test(
    `when ${name}, each unit says so, is read out, and comes back by Retry from the keyboard`,
    { tag },
    async ({ page }) => {
      await renderInBrowser(page);
      if (type === 'timeout') await page.clock.install();

      for (const { unit, path, chunk, heading } of UNITS) {
        const failing = new RegExp(`/releases/${unit}/.*${file(chunk)}`);
        await page.route(failing, fail);

        // With a request that gets no answer, the page never reaches the state "loaded".
        await page.goto(path, { waitUntil: 'commit' });
        if (type === 'timeout') await waitForTheTimeout(page);
        await expect(page.getByRole('heading', { level: 1, name: 'This page didn’t load' }), unit).toBeVisible();
        await expect(page.getByRole('heading', { level: 1 }), unit).toBeFocused();
        await expect(page.getByRole('alert').getByText(BLAME[type]), unit).toBeVisible();
        await page.getByText('Details', { exact: true }).click();
        await expect(page.getByText(new RegExp(`^Loading chunk \\S+ failed \\(${type}\\)$`)), unit).toBeVisible();
        await expectNavbarWorks(page);

        await page.unroute(failing);
        await page.getByRole('heading', { level: 1 }).focus();
        await page.keyboard.press('Tab');
        await expect(page.getByRole('button', { name: 'Retry' })).toBeFocused();
        await page.keyboard.press('Enter');
        await expect(page.getByRole('heading', { level: 1, name: heading }), unit).toBeFocused();
      }
    },
  );
}

for (const { unit, path, chunk, other, otherHeading } of UNITS) {
  test.describe(unit, { tag: unit === 'marketing' ? [] : MATRIX }, () => {
    test(`when ${unit} breaks while it renders, the break stays in its room and other pages work`, async ({ page }) => {
      await withoutIntegrity(page);
      await page.route(new RegExp(`/releases/${unit}/.*${chunk}\\.[^/]*\\.js`), throwInRender);

      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: 'This page stopped working' })).toBeVisible();
      await expectNavbarWorks(page);

      await page.goto(other);
      await expect(page.getByRole('heading', { level: 1, name: otherHeading })).toBeVisible();
    });

    test(`a page of another unit works while ${unit} is away`, { tag: MAIN }, async ({ page }) => {
      await renderInBrowser(page);
      await page.route(new RegExp(`/releases/${unit}/`), notFound);
      await page.goto(path);
      await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();

      await goInside(page, other);
      await expect(page.getByRole('heading', { level: 1, name: otherHeading })).toBeVisible();
    });
  });
}

test('a visitor does not see a failure that passes: the file is requested once more, under another address', async ({
  page,
}) => {
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
  'one bad answer for the script of the shell is not noticed, and asked for once more in all',
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

test('two bad answers for the script of the shell are told at once, and Reload makes the page work', async ({
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

async function cutOff(route: Route) {
  const text = await (await route.fetch()).text();
  await route.fulfill({ contentType: 'text/javascript', body: text.slice(0, text.length / 2) });
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
