import type { Page } from '@playwright/test';
import { openWith, PURCHASES, untilFirstToast, untilFolded } from '../fixtures/purchases.ts';
import { expect, test } from '../fixtures/site.ts';
import { endEntrance, endStay, stayOf } from '../fixtures/toast-stay.ts';

test('purchases are shown in order and then again, a new one every 8 s, each for 5 s, one at a time', async ({
  page,
}) => {
  await openWith(page, '/v5', PURCHASES);
  await untilFirstToast(page);
  const toasts = page.getByRole('alert');

  for (const words of [
    /^Ada got a plan.*London · Today at \d{1,2}:\d\d\s[AP]M$/,
    /^Grace got a plan.*New York\s+· Yesterday at/,
    /^Ada got a plan/,
  ]) {
    const shownAt = await clockOf(page);
    await expect(toasts).toHaveText(words);
    expect((await toasts.boundingBox())?.height).toBeLessThan(32);
    expect((await stayOf(toasts)).ms).toBe(5000);

    await endStay(toasts);
    await untilFolded(page);
    await page.clock.runFor(shownAt + 7000 - (await clockOf(page)));
    await expect(toasts).toHaveCount(0);
    await page.clock.runFor(1000);
  }
});

test('on a phone a toast comes at the top; a tap on it leads to the resellers', async ({ page }) => {
  await openWith(page, '/key-system-1', PURCHASES);
  await untilFirstToast(page);

  const toast = page.getByRole('alert').filter({ hasText: 'Ada' });
  await expect(toast).toBeVisible();
  await expect.poll(async () => (await toast.boundingBox())?.y).toBeLessThan(200);
  // It would be gone with its toast, so this does not wait.
  expect(await page.getByRole('progressbar').count()).toBe(0);

  await toast.click();
  await expect(page).toHaveURL(/\/resellers$/);
});

for (const path of ['/v5', '/neo', '/arceusxv3', '/rosaverx', '/key-system-1', '/gate'])
  test(`on a phone a toast of ${path} lies over no heading, wherever the page is scrolled to`, async ({ page }) => {
    await openWith(page, path, PURCHASES);
    await untilFirstToast(page);
    await expectNoHeadingBelow(page);

    const heading = page.locator('main h2').last();
    if ((await heading.count()) === 0) return;
    await endStay(page.getByRole('alert'));
    await untilFolded(page);
    await heading.evaluate((element) =>
      scrollBy({ top: element.getBoundingClientRect().top - 64, behavior: 'instant' }),
    );
    await page.clock.runFor(9000);
    if ((await page.getByRole('alert').count()) > 0) await expectNoHeadingBelow(page);
  });

test('at the top a toast covers neither the words of the bar nor the first words of a key page', async ({ page }) => {
  await openWith(page, '/key-system-1?hwid=device-1&zone=z', PURCHASES);
  await untilFirstToast(page);
  const toast = page.getByRole('alert');
  await endEntrance(toast);
  const box = await toast.boundingBox();

  const above = await page.getByRole('link', { name: 'Arceus X', exact: true }).locator('svg').boundingBox();
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
  const below = await page.getByRole('heading', { level: 1 }).boundingBox();
  expect(below?.y).toBeGreaterThanOrEqual((box?.y ?? 0) + (box?.height ?? 0));
});

for (const [where, screen] of [
  ['on a wide touch screen', { viewport: { width: 1180, height: 820 }, hasTouch: true, isMobile: true }],
  ['in a window of 768 px', { viewport: { width: 768, height: 820 } }],
] as const) {
  test.describe(where, () => {
    test.use(screen);

    test('a toast comes at the top, in the middle', async ({ page }) => {
      await openWith(page, '/index', PURCHASES);
      await untilFirstToast(page);
      const toast = page.getByRole('alert').filter({ hasText: 'Ada' });
      await expect(toast).toBeVisible();

      await expect.poll(async () => (await toast.boundingBox())?.y).toBeLessThan(200);
      const { x, width } = (await toast.boundingBox()) ?? { x: 0, width: 0 };
      expect(Math.abs(x + width / 2 - screen.viewport.width / 2)).toBeLessThan(20);
    });
  });
}

test.describe('on a wide window', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  for (const width of [769, 1440])
    test(`in a window of ${width} px a toast comes at the bottom left`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await openWith(page, '/index', PURCHASES);
      await untilFirstToast(page);

      const toast = page.getByRole('alert').filter({ hasText: 'Ada' });
      await expect(toast).toBeVisible();
      await expect.poll(async () => (await toast.boundingBox())?.y ?? 0).toBeGreaterThan(700);
      expect((await toast.boundingBox())?.x).toBeLessThan(200);
    });

  test('reduced motion leaves a toast its 5 s', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openWith(page, '/index', PURCHASES);
    await untilFirstToast(page);

    expect((await stayOf(page.getByRole('alert'))).ms).toBe(5000);
  });
});

/** Expects that the toast that is shown lies over no heading. */
async function expectNoHeadingBelow(page: Page) {
  const toast = page.getByRole('alert');
  await endEntrance(toast);
  const { y = 0, height = 0 } = (await page.locator('.Toastify__toast').boundingBox()) ?? {};
  const headings = await page.locator('main :is(h1, h2)').evaluateAll((all) =>
    all.map((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return { words: one.textContent, top, bottom };
    }),
  );

  expect(headings.filter(({ top, bottom }) => top < y + height && bottom > y)).toEqual([]);
}

function clockOf(page: Page): Promise<number> {
  return page.evaluate(() => Date.now());
}
