import type { Page } from '@playwright/test';
import { alive, openHeld } from '../fixtures/held-page.ts';
import { expect, test } from '../fixtures/site.ts';

test.use({ viewport: { width: 360, height: 740 } });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });
const isLaidOut = (page: Page, name: string) =>
  heading(page, name).evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }));
const isWholeLaidOut = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main h2')].every((each) => each.checkVisibility({ contentVisibilityAuto: true })),
  );
const placeOf = (page: Page, name: string) =>
  heading(page, name).evaluate((element) => Math.round(element.getBoundingClientRect().top));

test('sections far below are laid out when they come near, or the page works; what is read stays in its place', async ({
  page,
}) => {
  const goOn = await openHeld(page, '/v5');
  expect(await isLaidOut(page, 'Why V5')).toBe(false);

  await page.mouse.move(200, 300);
  await page.mouse.wheel(0, 1500);
  await expect(heading(page, 'Why V5')).toBeInViewport();
  expect(await isLaidOut(page, 'Why V5')).toBe(true);
  expect(await isLaidOut(page, 'Reset your devices')).toBe(false);
  const place = await placeOf(page, 'Why V5');

  goOn();
  await expect(alive(page)).toBeVisible();
  await expect.poll(() => isWholeLaidOut(page)).toBe(true);
  expect(Math.abs((await placeOf(page, 'Why V5')) - place)).toBeLessThanOrEqual(1);
});

/** A list of downloads without a file makes its section smaller. */
const holdDownloads = (page: Page) => page.route('/api/downloads', () => undefined);

test('who jumps far before the page works stays there', async ({ page }) => {
  await holdDownloads(page);
  const goOn = await openHeld(page, '/v5');
  // Safari does not keep what is read in its place.
  await page.evaluate(() => (document.documentElement.style.overflowAnchor = 'none'));
  await heading(page, 'Reset your devices').evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
  await expect(heading(page, 'Reset your devices')).toBeInViewport();
  expect(await isLaidOut(page, 'Why V5')).toBe(false);
  const place = await placeOf(page, 'Reset your devices');

  goOn();
  await expect(alive(page)).toBeVisible();
  await expect.poll(() => isWholeLaidOut(page)).toBe(true);
  expect(Math.abs((await placeOf(page, 'Reset your devices')) - place)).toBeLessThanOrEqual(1);
});

test('an anchor and "back" lead to their places', async ({ page }) => {
  const goOn = await openHeld(page, '/v5#downloads');
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1000);
  const place = await placeOf(page, 'Downloads');
  expect(place).toBeGreaterThan(0);
  expect(place).toBeLessThan(370);
  goOn();
  await expect(alive(page)).toBeVisible();
  await expect.poll(() => isWholeLaidOut(page)).toBe(true);
  expect(Math.abs((await placeOf(page, 'Downloads')) - place)).toBeLessThanOrEqual(1);

  await holdDownloads(page);
  // With a socket, the browser does not keep the page, and going back loads it anew.
  const socket = page.waitForEvent('websocket');
  await page.goto('/v5');
  await socket;
  await expect.poll(() => isWholeLaidOut(page)).toBe(true);
  await heading(page, 'Reset your devices').evaluate((element) => {
    const scrolled = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }));
    element.scrollIntoView({ behavior: 'instant' });
    return scrolled.then(() => undefined);
  });
  const left = await placeOf(page, 'Reset your devices');
  await page.goto('/healthz');
  await page.goBack();
  await expect(alive(page)).toBeVisible();
  expect(await page.evaluate(() => performance.getEntriesByType('navigation')[0])).toMatchObject({
    type: 'back_forward',
  });
  await expect.poll(() => isWholeLaidOut(page)).toBe(true);
  await expect.poll(() => placeOf(page, 'Reset your devices')).toBe(left);
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
    await expect(alive(page)).toBeVisible();
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
  await expect(alive(page)).toBeVisible();
  expect(await page.evaluate(() => (globalThis as unknown as { startedAtOnce?: boolean }).startedAtOnce)).toBe(false);
});
