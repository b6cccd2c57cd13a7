import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';

test('when nothing opens after Launch, the page says how to go on, and leads to the apps', async ({ page }) => {
  await page.clock.install();
  await page.goto('/success-plus?hwid=device-1&zone=z');
  await leadLaunchNowhere(page);
  const launch = page.getByRole('link', { name: 'Launch' });
  await expect(launch).toHaveAttribute('href', 'roblox://');
  await launch.click();
  await page.clock.runFor(1600);
  const help = page.getByRole('alertdialog', { name: 'Did nothing open?' });
  await expect(help).toContainText('Open the app yourself');
  await help.getByRole('button', { name: 'Close' }).click();
  await expect(help).toBeHidden();
  await expect(launch).toBeFocused();

  await launch.click();
  await page.clock.runFor(1600);
  await help.getByRole('button', { name: 'Get the app' }).click();
  await expect(page).toHaveURL(/\/index#choose$/);
});

test('when the app comes to the front after Launch, the page has nothing to add', async ({ page }) => {
  await page.clock.install();
  await page.goto('/success-basic');
  await page.getByRole('link', { name: 'Launch' }).click();
  await page.clock.runFor(300);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await page.clock.runFor(3000);

  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('OK in the question about a plan is a launch like any other', async ({ page }) => {
  await page.clock.install();
  await page.goto('/plans');
  await page.getByRole('button', { name: 'Get Plus' }).click();
  await page.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await page.clock.runFor(1600);

  await expect(page.getByRole('alertdialog', { name: 'Did nothing open?' })).toBeVisible();
});

/** A browser without a window to ask in swallows clicks while it looks for an app that takes the scheme. */
async function leadLaunchNowhere(page: Page) {
  await page.evaluate(() => document.addEventListener('click', (event) => (event.target as Element).closest('[href^="roblox:"]') && event.preventDefault()));
}
