import { expect, test } from '../fixtures/site.ts';

// In all other journeys the captcha costs a browser next to nothing.
test.use({ settings: { TEST_CAPTCHA_COST: '', TEST_CAPTCHA_ROUNDS: '' } });

test('the browser solves a captcha that costs what it costs on the site', async ({ page, device }) => {
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);
  const complete = page.getByRole('link', { name: 'Complete' });
  await expect(complete).toHaveAttribute('href', /./);

  await complete.click();
  await expect(page.getByRole('heading', { name: 'Linkvertise' })).toBeVisible();
});
