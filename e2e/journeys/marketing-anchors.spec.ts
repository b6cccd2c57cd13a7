import type { Page } from '@playwright/test';
import { hydrated } from '../fixtures/held-page.ts';
import { MATRIX } from '../fixtures/tags.ts';
import { expect, test } from '../fixtures/site.ts';
import { inBothWindows } from '../fixtures/windows.ts';

test('the download button leads to the downloads of the page, and keeps the query', async ({ page }) => {
  await page.goto('/neo?hwid=device-1&zone=z');
  const button = page.getByRole('link', { name: 'Download', exact: true });

  await inBothWindows(page, async () => {
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await expect(button).toBeInViewport();
    await button.click();
    await expect(page).toHaveURL(/\/neo\?hwid=device-1&zone=z#downloads$/);
    await expect(page.locator('#downloads h2')).toBeInViewport();
  });
});

test('a page begins at its top, when one goes there and when it is loaded anew; going back finds it where it was left', async ({
  page,
}) => {
  await page.goto('/v5');
  await page.getByRole('link', { name: 'Learn more about NEO' }).scrollIntoViewIfNeeded();
  const before = await scrollOf(page);
  expect(before).toBeGreaterThan(300);
  await page.getByRole('link', { name: 'Learn more about NEO' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Arceus X NEO' })).toBeInViewport();
  expect(await scrollOf(page)).toBe(0);

  await page.goBack();
  await expect(page.getByRole('radiogroup', { name: 'Choose Your Experience' })).toBeInViewport();
  await expect.poll(() => scrollOf(page)).toBe(before);

  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await expect.poll(() => scrollOf(page)).toBe(0);
});

test(
  'going back from the downloads finds the place where their button was pressed',
  { tag: MATRIX },
  async ({ page }) => {
    for (const path of ['/v5', '/neo']) {
      await page.goto(path);
      await expect(hydrated(page)).toBeVisible();
      const button = page.locator('main a[href$="#downloads"]').first();
      for (const times of ['once', 'again']) {
        // Playwright scrolls to what it clicks.
        const pressedAt = button.evaluate(
          (link) =>
            new Promise<number>((tell) => link.addEventListener('click', () => tell(window.scrollY), { once: true })),
        );
        await button.click();
        const left = await pressedAt;
        await expect(page.locator('#downloads h2'), times).toBeInViewport();
        await expect(page).toHaveURL(`${path}#downloads`);
        await page.evaluate(() => history.back());
        await expect(page).toHaveURL(path);
        await expect.poll(async () => Math.abs((await scrollOf(page)) - left), times).toBeLessThan(1);
      }
    }
  },
);

test('on a phone the sticky download button hides beside the downloads and the form', async ({ page }) => {
  await page.goto('/v5');
  const sticky = page.getByRole('link', { name: 'Download V5' });
  const goTo = (selector: string) => page.locator(selector).evaluate((element) => element.scrollIntoView());

  for (const [selector, isShown] of [
    ['#why', true],
    ['#downloads', false],
    ['#faq', true],
    ['#reset form', false],
  ] as const) {
    await goTo(selector);
    if (isShown) await expect(sticky, selector).toBeInViewport();
    else await expect(page.locator('[data-sticky-action]'), selector).toHaveCSS('opacity', '0');
  }
});

function scrollOf(page: Page): Promise<number> {
  return page.evaluate(() => window.scrollY);
}
