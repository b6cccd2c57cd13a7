import type { Page } from '@playwright/test';
import { openWith, PURCHASES, untilFirstToast, untilFolded } from '../fixtures/purchases.ts';
import { MATRIX } from '../fixtures/tags.ts';
import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';
import { endStay } from '../fixtures/toast-stay.ts';

for (const { what, path, come, leave } of [
  {
    what: 'an open menu',
    path: '/v5',
    come: (page: Page) => page.getByLabel('Menu', { exact: true }).click(),
    leave: (page: Page) => page.keyboard.press('Escape'),
  },
  {
    what: 'a dialog',
    path: '/key-system-bypass',
    come: async (page: Page) => {
      await page.getByRole('main').getByRole('button').first().click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
    },
    leave: (page: Page) => page.keyboard.press('Escape'),
  },
  {
    what: 'a field that is filled in',
    path: '/v5',
    come: (page: Page) => page.getByRole('textbox').first().focus(),
    leave: (page: Page) => page.getByRole('textbox').first().blur(),
  },
]) {
  const tag = what === 'an open menu' ? [] : MATRIX;

  test(
    `a turn that falls into ${what} is left out, and the purchase whose turn it was comes with the next`,
    { tag },
    async ({ page }) => {
      await openWith(page, path, PURCHASES);
      await untilFirstToast(page);
      const toast = page.getByRole('marquee');
      const isAda = (await toast.textContent())?.startsWith('Ada');
      await endStay(toast);
      await untilFolded(page);

      // Three turns: had they counted, the same name would come again.
      await come(page);
      await page.clock.runFor(24_000);
      await expect(toast).toHaveCount(0);

      await leave(page);
      await untilFirstToast(page);
      await expect(toast).toContainText(isAda ? 'Grace' : 'Ada');
    },
  );
}

test('a toast that is there goes when the menu opens', async ({ page }) => {
  await openWith(page, '/v5', PURCHASES);
  await untilFirstToast(page);
  // Its own five seconds do not end while its bar stands still.
  await page.locator('.Toastify__toast').evaluate((toast) => {
    for (const animation of toast.getAnimations({ subtree: true })) animation.pause();
  });
  await page.getByLabel('Menu', { exact: true }).click();

  await untilFolded(page);
  await expect(page.getByRole('marquee')).toHaveCount(0);
});

test('beside a notice that refuses something no purchase passes by', async ({ page }) => {
  await tellRunState(page, { step: 2, strikes: ['KS_PROOF'] });
  await openWith(page, '/key-system-bypass?hwid=device-1&zone=z&r=KS_PROOF', PURCHASES);
  await expect(page.getByRole('status').first()).toBeVisible();
  await page.clock.runFor(24_000);

  await expect(page.getByRole('marquee')).toHaveCount(0);
});
