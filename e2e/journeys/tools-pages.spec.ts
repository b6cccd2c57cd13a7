import { expect, test } from '../fixtures/site.ts';

test('the privacy policy has its five sections and its date, and the addendum stands apart', async ({ page }) => {
  await page.goto('/privacy-policy');

  await expect(page.getByText('Last updated 27 November 2023')).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Information We Collect',
    'Purpose of Data Collection',
    'Third-Party Links',
    'Data Retention',
    'Scope and Applicability',
    'What this site stores',
  ]);
  const addendum = page.getByRole('region', { name: 'What this site stores' });
  await expect(addendum).toContainText('is no part of the policy above');
  await expect(addendum.getByRole('table', { name: 'How long, by the operator’s policy' }).getByRole('row')).toHaveText([
    'Attempts at a step30 days',
    'Runs90 days',
    'Keys30 days after they expire',
    'Solved captchas1 day',
  ]);
});

test('after a reset of devices one can download, or go back home', async ({ page }) => {
  await page.goto('/resetsuccessV5');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reset succeeded! Your devices have been reset');
  await expect(page.getByRole('link', { name: 'Download' })).toHaveAttribute('href', '/v5#downloads');

  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL(/\/index$/);
});
