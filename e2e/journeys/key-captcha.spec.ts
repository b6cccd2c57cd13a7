import { startRecaptcha } from '../fixtures/fake-recaptcha.ts';
import { expect, test as base } from '../fixtures/site.ts';

const test = base.extend<object, { provider: string }>({
  provider: [
    async ({}, use) => {
      const { origin, stop } = await startRecaptcha();
      await use(origin);
      stop();
    },
    { scope: 'worker' },
  ],
  settings: [
    async ({ provider }, use) =>
      use({
        CAPTCHA_PROVIDER: 'recaptcha',
        RECAPTCHA_SITE_KEY: 'site-key-1',
        RECAPTCHA_SECRET: 'secret-1',
        TEST_RECAPTCHA_ORIGIN: provider,
      }),
    { scope: 'worker' },
  ],
});

test('the provider’s captcha is ticked, and opens the step', async ({ page, device }) => {
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);
  const complete = page.getByRole('link', { name: 'Complete' });
  await expect(complete).not.toHaveAttribute('href', /./);
  await page.getByRole('button', { name: 'I am not a robot' }).click();

  await complete.click();
  await expect(page.getByRole('heading', { name: 'Linkvertise' })).toBeVisible();
});
