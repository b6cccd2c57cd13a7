import type { Page } from '@playwright/test';
import { hold, hydrated, SCRIPTS } from '../fixtures/held-page.ts';
import { watchProblems } from '../fixtures/problems.ts';
import { expect, test } from '../fixtures/site.ts';
import { MAIN, MATRIX } from '../fixtures/tags.ts';

/** Opens a page none of whose scripts arrives, until the returned function is called. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  const arrive = await hold(page, SCRIPTS);
  await page.goto(path, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('html')).not.toHaveAttribute('data-started');
  return arrive;
}

test('the menu opens, its links lead on, and once the page works it closes', { tag: MAIN }, async ({ page }) => {
  const errors = watchProblems(page, ['error']);
  const arrive = await openWithoutScripts(page, '/plans?hwid=device-1234&zone=z');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await page.getByLabel('Menu', { exact: true }).click();
  await expect(menu.getByRole('link', { name: 'Discord' })).toBeVisible();

  arrive();
  await expect(hydrated(page)).toBeVisible();
  await expect(page.locator('#navbar-menu')).toHaveAttribute('data-menu', 'open');
  await expect(page.locator('[inert] main')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(menu.getByRole('link', { name: 'Discord' })).toBeHidden();
  await expect(page.locator('#navbar-menu')).toHaveAttribute('data-menu', 'closed');
  expect(errors).toEqual([]);
});

test(
  'the text that scrolls beneath the bar is covered, and stays so when the page begins to work',
  { tag: MATRIX },
  async ({ page }) => {
    const arrive = await openWithoutScripts(page, '/plans');
    const veil = page.locator('header[data-scrolled] + [data-moved]');
    await expect(veil).toHaveCSS('opacity', '0');
    await expect(page.locator('footer')).toBeAttached();

    await page.evaluate(() => window.scrollTo({ top: 300, behavior: 'instant' }));
    await expect(veil).toHaveCSS('opacity', '1');
    const seen = await veil.evaluateHandle((element) => {
      const opacities = new Set<string>();
      const look = () => {
        opacities.add(getComputedStyle(element).opacity);
        requestAnimationFrame(look);
      };
      look();
      return opacities;
    });
    arrive();
    await expect(hydrated(page)).toBeVisible();
    await expect(veil).toHaveAttribute('data-moved', 'true');
    expect(await seen.evaluate((opacities) => [...opacities])).toEqual(['1']);
  },
);

test('a plan is bought for the device of the address', { tag: MAIN }, async ({ page, device }) => {
  await openWithoutScripts(page, `/plans?hwid=${device}&zone=zone-1`);
  await page.getByRole('link', { name: 'Get Plus' }).click();

  await expect(page).toHaveURL(/\/dev\/pay\//);
});

test('a question of the FAQ opens before hydration, and stays open', async ({ page }) => {
  const errors = watchProblems(page, ['error']);
  const arrive = await openWithoutScripts(page, '/v5');
  const [first, second] = [page.locator('#faq details').nth(0), page.locator('#faq details').nth(1)];
  await first.locator('summary').click();
  await expect(first.locator('p')).toBeVisible();

  arrive();
  await expect(hydrated(page)).toBeVisible();
  await expect(first.locator('p')).toBeVisible();
  await second.locator('summary').click();
  await expect(second.locator('p')).toBeVisible();
  await expect(first.locator('p')).toBeHidden();
  expect(errors).toEqual([]);
});

test('the carousel turns to a plan, and stays there', { tag: MATRIX }, async ({ page }) => {
  const errors = watchProblems(page, ['error']);
  const arrive = await openWithoutScripts(page, '/rosaverx');
  const carousel = page.getByRole('region', { name: 'Days without the key system, by plan' });
  await carousel.locator('label', { hasText: 'Premium' }).click();
  await expect(carousel.getByRole('heading', { name: '365 days without the key system' })).toBeVisible();
  await expect(carousel.getByRole('heading', { name: '7 days without the key system' })).toBeHidden();

  arrive();
  await expect(hydrated(page)).toBeVisible();
  await expect(carousel.getByRole('radio', { name: 'Premium' })).toBeChecked();
  await expect(carousel.locator('[data-side="here"]')).toHaveAccessibleName('Premium, 3 of 3');
  expect(errors).toEqual([]);
});
