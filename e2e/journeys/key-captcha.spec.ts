import type { Page } from '@playwright/test';
import { startRecaptcha, type FakeRecaptcha } from '../fixtures/fake-recaptcha.ts';
import { expect, test as base } from '../fixtures/site.ts';

const test = base.extend<object, { recaptcha: FakeRecaptcha }>({
  recaptcha: [
    async ({}, use) => {
      const { fake, stop } = await startRecaptcha();
      await use(fake);
      stop();
    },
    { scope: 'worker' },
  ],
  settings: [
    async ({ recaptcha }, use) =>
      use({
        CAPTCHA_PROVIDER: 'recaptcha',
        RECAPTCHA_SITE_KEY: 'site-key-1',
        RECAPTCHA_SECRET: 'secret-1',
        TEST_RECAPTCHA_ORIGIN: recaptcha.origin,
      }),
    { scope: 'worker' },
  ],
});

// One worker plays them all, because each worker would start this server anew.
test.describe.configure({ mode: 'default' });

test.beforeEach(({ recaptcha }) => Object.assign(recaptcha, { failures: 0, asked: 0, hasFrame: true, isGood: true }));

test('the provider’s captcha is ticked, and opens the step', async ({ page, device }) => {
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);
  await expect(page.getByRole('link', { name: 'Complete' })).not.toHaveAttribute('href', /./);
  await tick(page);

  await page.getByRole('link', { name: 'Complete' }).click();
  await expect(page.getByRole('heading', { name: 'Linkvertise' })).toBeVisible();
});

test('a script that fails twice is loaded the third time', async ({ page, device, recaptcha }) => {
  recaptcha.failures = 2;
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);

  await expect(page.getByText('Loading the captcha')).toBeVisible();
  await tick(page);
  expect(recaptcha.asked).toBe(3);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /./);
});

test('a script that fails three times has failed, and can be asked for again', async ({ page, device, recaptcha }) => {
  recaptcha.failures = 3;
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);

  await expect(page.getByText('The captcha didn’t load')).toBeVisible();
  expect(recaptcha.asked).toBe(3);
  await page.getByRole('button', { name: 'Reload the captcha' }).click();
  await tick(page);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /./);
});

test('a script whose frame is out of reach is said within twenty seconds', async ({ page, device, recaptcha }) => {
  recaptcha.hasFrame = false;
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);
  await expect(page.getByText('The captcha didn’t load')).toBeVisible({ timeout: 20_000 });

  recaptcha.hasFrame = true;
  await page.getByRole('button', { name: 'Reload the captcha' }).click();
  await tick(page);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /./);
});

test('a captcha that expires is reset and the visitor told; so is one that meets an error', async ({
  page,
  device,
}) => {
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);
  await tick(page);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /./);

  await tellFake(page, 'expire');
  await expect(page.getByText('The captcha timed out. It starts over.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Complete' })).not.toHaveAttribute('href', /./);
  expect(await tellFake(page, 'resets')).toBe(1);

  await tellFake(page, 'fail');
  await expect(page.getByText('The captcha broke. Tick its box to start over.')).toBeVisible();
  expect(await tellFake(page, 'resets')).toBe(2);

  await tick(page);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /./);
});

test('a token that the provider does not confirm is an alert, then the captcha is reset', async ({
  page,
  device,
  recaptcha,
}) => {
  recaptcha.isGood = false;
  await page.goto(`/gate?hwid=${device}&advertiser=linkvertise`);
  await tick(page);

  await expect(page.getByRole('alertdialog')).toContainText('CAPTCHA verification failed. Please try again.');
  await page.getByRole('button', { name: 'OK' }).click();
  await expect.poll(() => tellFake(page, 'resets')).toBe(1);
});

test('another advertiser keeps the widget, another device gets another one', async ({ page, device }) => {
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);
  await tick(page);
  await page.getByRole('radio', { name: 'LootLabs' }).check();
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /advertiser=lootlabs/);
  expect(await tellFake(page, 'widgets')).toBe(1);
  expect(await tellFake(page, 'siteKey')).toBe('site-key-1');

  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/key-system-1?hwid=${device}-2&zone=z`);
  await expect.poll(() => tellFake(page, 'widgets')).toBe(2);
  await expect(page.getByRole('button', { name: 'I am not a robot' })).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Complete' })).not.toHaveAttribute('href', /./);
});

async function tick(page: Page) {
  await page.getByRole('button', { name: 'I am not a robot' }).click();
}

function tellFake(page: Page, what: 'expire' | 'fail' | 'resets' | 'siteKey' | 'widgets'): Promise<unknown> {
  return page.evaluate(
    (name) => (window as unknown as { fakeRecaptcha: Record<string, () => unknown> }).fakeRecaptcha[name]?.(),
    what,
  );
}
