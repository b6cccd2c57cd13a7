import type { Page } from '@playwright/test';
import { violations } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/site.ts';

const PATHS = [
  '/',
  '/neo',
  '/arceusxv3',
  '/plans',
  '/resellers',
  '/successV5',
  '/errorV5',
  '/success-basic',
  '/success-plus',
  '/success-premium',
  '/payment-failed',
  '/rosaverx',
  '/resetsuccessV5',
  '/privacy-policy',
  '/encrypter',
  '/portfolio',
  '/gate',
  '/check-key',
  '/qa/design',
  '/key-system-1',
  '/key-system-getkey',
  '/key-system-bypass?hwid=device-axe-0&zone=z&r=KS_PROOF',
  '/rosaverx/key-system-1',
];

const WINDOWS = { phone: { width: 360, height: 740 }, wide: { width: 1440, height: 900 } };

for (const [name, viewport] of Object.entries(WINDOWS)) {
  test.describe(`in a ${name} window`, () => {
    test.use({ viewport });

    for (const path of PATHS) {
      test(`${path} has nothing that keeps anybody out`, async ({ page }) => {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

        expect(await violations(page)).toEqual([]);
        expect(await overflow(page)).toBe(0);
      });
    }

    test('the step with its captcha solved has nothing that keeps anybody out', async ({ page, device }) => {
      await page.goto(`/key-system-1?hwid=${device}&zone=z`);
      await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /./);

      expect(await violations(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
    });
  });
}

test('the open menu has nothing that keeps anybody out', async ({ page }) => {
  await page.goto('/plans');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.locator('#navbar-menu')).toHaveAttribute('data-menu', 'open');

  expect(await violations(page)).toEqual([]);
});

test('the view of a unit that failed has nothing that keeps anybody out', async ({ page }) => {
  await page.route(/\/releases\/marketing\//, (route) => route.fulfill({ status: 404 }));
  await page.goto('/plans');
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();

  expect(await violations(page)).toEqual([]);
});

/** By how many pixels the page is wider than its window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));
}
