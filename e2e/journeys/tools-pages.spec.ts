import { expect, test } from '../fixtures/site.ts';
import { inBothWindows } from '../fixtures/windows.ts';

test('the privacy policy has its five sections and its date, and the addendum stands apart', async ({ page }) => {
  await page.goto('/privacy-policy');
  const addendum = page.getByRole('region', { name: 'What this site stores' });

  await inBothWindows(page, async () => {
    await expect(page.getByText('Last updated 27 November 2023')).toBeInViewport();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      'Information We Collect',
      'Purpose of Data Collection',
      'Third-Party Links',
      'Data Retention',
      'Scope and Applicability',
      'What this site stores',
    ]);
    await expect(addendum).toContainText('Last updated 28 November 2026');
    await expect(addendum.getByRole('table', { name: 'How long we keep it' }).getByRole('row')).toHaveText([
      'Attempts at a step30 days',
      'Runs90 days',
      'Keys30 days after they expire',
      'Solved captchas1 day',
      'Purchases and plans, with their email addressesat least 10 years (tax law)',
      'Payments nobody finished30 days',
      'Links in emails31 days',
      'Counts of how fast pages are14 days',
    ]);
  });
});

test('after a reset of devices one can download, or go back home', async ({ page }) => {
  await page.goto('/resetsuccessV5');

  await inBothWindows(page, async () => {
    await expect(
      page.getByRole('heading', { level: 1, name: 'Reset succeeded! Your devices have been reset', exact: true }),
    ).toBeInViewport();
    await expect(page.getByRole('link', { name: 'Download' })).toBeInViewport();
    await expect(page.getByRole('link', { name: 'Back to Home' })).toBeInViewport();
  });
  await expect(page.getByRole('link', { name: 'Download' })).toHaveAttribute('href', '/v5#downloads');
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL(/\/index$/);
});

test('a click outside a dialog that stays does not close it, and the backdrop flashes for 100 ms', async ({ page }) => {
  await page.clock.install();
  await page.goto('/qa/design');
  await page.getByRole('button', { name: 'Dialog that stays' }).click();
  const dialog = page.getByRole('dialog');
  const dark = await dialog.getAttribute('class');
  await page.clock.pauseAt(Date.now() + 60_000);

  await page.mouse.click(4, 4);
  await expect(dialog).not.toHaveClass(dark ?? '');
  await page.clock.runFor(99);
  await expect(dialog).not.toHaveClass(dark ?? '');
  await page.clock.runFor(1);
  await expect(dialog).toHaveClass(dark ?? '');
  await expect(dialog).toBeVisible();
});
