import type { Page } from '@playwright/test';
import { openWith, PURCHASES, untilFirstToast, untilFolded } from '../fixtures/purchases.ts';
import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';
import { endEntrance, endStay, stayOf } from '../fixtures/toast-stay.ts';

test('purchases are shown in order and then again, a new one every 8 s, each for 5 s, one at a time', async ({
  page,
}) => {
  await openWith(page, '/v5', PURCHASES);
  await untilFirstToast(page);
  const toasts = page.getByRole('marquee');

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

  const toast = page.getByRole('marquee').filter({ hasText: 'Ada' });
  await expect(toast).toBeVisible();
  await expect.poll(async () => (await toast.boundingBox())?.y).toBeLessThan(200);
  // It would be gone with its toast, so this does not wait.
  expect(await page.getByRole('progressbar').count()).toBe(0);

  await toast.click();
  await expect(page).toHaveURL(/\/resellers$/);
});

for (const step of [2, 3, 5])
  test(`on a phone purchases come at step ${step}: 8 px below the line that says so, and small`, async ({ page }) => {
    await tellRunState(page, { step });
    await openWith(page, `/key-system-${step}?hwid=device-1&zone=z`, PURCHASES);
    const toast = page.getByRole('marquee');

    for (const name of ['Ada', 'Grace', 'Ada']) {
      await untilFirstToast(page);
      await expect(toast).toContainText(name);
      await endEntrance(toast);
      const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.Toastify__toast').boundingBox()) ?? {};
      const line = await page.locator('[data-run-strip]').boundingBox();
      expect(y - ((line?.y ?? 0) + (line?.height ?? 0))).toBeCloseTo(8, 0);
      expect(x + width / 2).toBeCloseTo(180, 0);
      expect(height).toBeLessThan(30);
      await endStay(toast);
      await untilFolded(page);
    }
  });

test('on a phone a toast leaves every control of a page free, wherever the page is scrolled to', async ({ page }) => {
  await openWith(page, '/v5', PURCHASES);
  await untilFirstToast(page);
  await endEntrance(page.getByRole('marquee'));
  await page.locator('.Toastify__toast').evaluate((toast) => {
    for (const animation of toast.getAnimations({ subtree: true })) animation.pause();
  });

  const covered = await page.evaluate(() => {
    const found: string[] = [];
    for (let top = 0; top < document.documentElement.scrollHeight; top += 95) {
      scrollTo({ top, behavior: 'instant' });
      // No frame comes while the page's clock stands still.
      dispatchEvent(new Event('scroll'));
      const toast = document.querySelector('.Toastify__toast')!.getBoundingClientRect();
      for (const control of document.querySelectorAll(':is(main, footer) :is(a, button, summary, label)')) {
        const box = control.getBoundingClientRect();
        if (box.height > 0 && box.height < 300 && box.top < toast.bottom - 1 && box.bottom > toast.top + 1)
          found.push(`${control.textContent} at ${String(top)}`);
      }
    }
    return found;
  });
  expect(covered).toEqual([]);
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
      const toast = page.getByRole('marquee').filter({ hasText: 'Ada' });
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

      const toast = page.getByRole('marquee').filter({ hasText: 'Ada' });
      await expect(toast).toBeVisible();
      await expect.poll(async () => (await toast.boundingBox())?.y ?? 0).toBeGreaterThan(700);
      expect((await toast.boundingBox())?.x).toBeLessThan(200);
    });

  test('reduced motion leaves a toast its 5 s', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openWith(page, '/index', PURCHASES);
    await untilFirstToast(page);

    expect((await stayOf(page.getByRole('marquee'))).ms).toBe(5000);
  });
});

function clockOf(page: Page): Promise<number> {
  return page.evaluate(() => Date.now());
}
