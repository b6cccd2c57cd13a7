import type { Locator, Page } from '@playwright/test';
import { hydrated, holdUnits, openHeld } from '../fixtures/held-page.ts';
import { expect, test } from '../fixtures/site.ts';
import { MATRIX } from '../fixtures/tags.ts';

test.use({ viewport: { width: 360, height: 740 } });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });
const placeOf = (element: Locator) => element.evaluate((one) => Math.round(one.getBoundingClientRect().top));

/** Safari does not keep what is read in its place when something above it grows. */
const imitateSafari = (page: Page) =>
  page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => (document.documentElement.style.overflowAnchor = 'none'));
  });

for (const [path, anchors] of Object.entries({
  '/v5': ['downloads', 'demo', 'why', 'compare', 'reset', 'faq', 'shop'],
  '/neo': ['downloads', 'demo', 'why', 'features', 'faq', 'more'],
  '/arceusxv3': ['plans', 'downloads'],
  '/rosaverx': ['plans', 'download'],
}))
  test(
    `the anchors of ${path} lead to their places in the first view of it, and nothing moves them later`,
    { tag: path === '/v5' ? [] : MATRIX },
    async ({ page, browserName }) => {
      if (browserName === 'chromium') await imitateSafari(page);
      for (const anchor of anchors) {
        await page.goto('about:blank');
        const listed = page.waitForResponse('**/api/downloads');
        const goOn = await openHeld(page, `${path}#${anchor}`);
        const part = page.locator(`#${anchor}`);
        await expect(part).toBeInViewport();
        const place = await placeOf(part);
        expect(place, anchor).toBeGreaterThanOrEqual(64);
        expect(place, anchor).toBeLessThanOrEqual(84);

        goOn();
        await expect(hydrated(page)).toBeVisible();
        await (await listed).finished();
        await expect(page.getByText(/^Looking for/)).toHaveCount(0);
        await page.evaluate(() => new Promise(requestAnimationFrame));
        expect(Math.abs((await placeOf(part)) - place), anchor).toBeLessThanOrEqual(1);
      }
    },
  );

test('going back to a document finds the page where it was left, before it works', async ({ page }) => {
  // With a socket, the browser does not keep the page, and going back loads it anew.
  const socket = page.waitForEvent('websocket');
  await page.goto('/v5');
  await socket;
  const part = heading(page, 'Reset your devices');
  await part.evaluate((element) => {
    const scrolled = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }));
    element.scrollIntoView({ behavior: 'instant' });
    return scrolled.then(() => undefined);
  });
  const left = await placeOf(part);
  await page.goto('/healthz');

  const goOn = await holdUnits(page);
  await page.goBack({ waitUntil: 'commit' });
  await expect.poll(() => placeOf(part)).toBe(left);
  expect(await hydrated(page).count()).toBe(0);
  goOn();
  await expect(hydrated(page)).toBeVisible();
  expect(await page.evaluate(() => performance.getEntriesByType('navigation')[0])).toMatchObject({
    type: 'back_forward',
  });
  expect(await placeOf(part)).toBe(left);
});

test('no page begins by loading the data of languages, which takes a slow phone a tenth of a second', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const asked: string[] = ((globalThis as never as { asked: string[] }).asked = []);
    for (const [of, name] of [
      [Intl, 'NumberFormat'],
      [Intl, 'DateTimeFormat'],
      [Intl, 'PluralRules'],
      [Number.prototype, 'toLocaleString'],
    ] as const)
      Object.defineProperty(of, name, {
        value: new Proxy(Reflect.get(of, name) as () => object, {
          apply: (target, self, args: []) => (asked.push(name), Reflect.apply(target, self, args)),
          construct: (target, args: []) => (asked.push(name), Reflect.construct(target, args) as object),
        }),
      });
  });

  for (const path of ['/v5', '/neo', '/arceusxv3', '/plans', '/resellers', '/key-system-1', '/check-key']) {
    await page.goto(path);
    await expect(hydrated(page)).toBeVisible();
    expect(await page.evaluate(() => (globalThis as never as { asked: string[] }).asked), path).toEqual([]);
  }
  expect(await page.evaluate(() => [(1234).toLocaleString('en'), new Intl.NumberFormat('en').format(7)])).toEqual([
    '1,234',
    '7',
  ]);
  expect(await page.evaluate(() => (globalThis as never as { asked: string[] }).asked)).toEqual([
    'toLocaleString',
    'NumberFormat',
  ]);
});

test('the shell starts in two tasks: React runs first, the rest after the script', async ({ page }) => {
  await page.addInitScript(() => {
    // This event comes within the task of the script.
    const note = ({ target }: Event) => {
      if (target instanceof HTMLScriptElement && /\/shell\.[^/]*\.js/.test(target.src))
        Object.assign(globalThis, { startedAtOnce: 'chunkElementCreated' in globalThis });
    };
    document.addEventListener('load', note, true);
  });
  await page.goto('/v5');
  await expect(hydrated(page)).toBeVisible();
  expect(await page.evaluate(() => (globalThis as unknown as { startedAtOnce?: boolean }).startedAtOnce)).toBe(false);
});
