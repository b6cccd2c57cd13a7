import { expect, test } from '../fixtures/site.ts';

test('a wait longer than three seconds is said, and one can go elsewhere', async ({ page }) => {
  await page.clock.install();
  await page.route(/\/releases\/tools\/.*remoteEntry/, () => Promise.resolve());
  // A request without an answer keeps the page from ever being "loaded".
  await page.goto('/encrypter', { waitUntil: 'commit' });

  await expect(page.getByRole('link', { name: 'Arceus X', exact: true })).toBeVisible();
  await expect(page.getByText('Still loading.')).toBeHidden();

  await page.clock.fastForward(3000);
  await expect(page.getByText('Still loading.')).toBeVisible();
  await page.getByRole('link', { name: 'Go home instead' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Introducing Arceus X V5' })).toBeVisible();
});
