import type { Page } from '@playwright/test';
import { hold, hydrated, SCRIPTS } from '../fixtures/held-page.ts';
import { issueCode } from '../fixtures/issue-code.ts';
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

/** Collects what React or the page says is wrong. */
function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  return errors;
}

test('the menu opens, its links lead on, and once the page works it closes', { tag: MAIN }, async ({ page }) => {
  const errors = watchErrors(page);
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

test('a link of the menu is followed with the device', async ({ page }) => {
  await openWithoutScripts(page, '/plans?hwid=device-1234&zone=z');
  await page.getByLabel('Menu', { exact: true }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Redeem a code' }).click();

  await expect(page).toHaveURL('/redeem?hwid=device-1234&zone=z');
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

test('without a device a plan leads to how one begins', async ({ page }) => {
  await openWithoutScripts(page, '/plans');
  await page.getByRole('link', { name: 'Get Plus' }).click();

  await expect(page.getByRole('heading', { name: 'Start in the app' })).toBeInViewport();
});

test('files are downloaded, and the build for Vietnam asks first', { tag: MATRIX }, async ({ page }) => {
  await openWithoutScripts(page, '/rosaverx');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .locator('#download')
      .getByRole('link', { name: /^Download/ })
      .click(),
  ]);
  expect(file.url()).toMatch(/companion/);

  await openWithoutScripts(page, '/v5');
  await page.getByRole('link', { name: 'Download for Vietnam' }).click();
  await expect(page.getByRole('heading', { name: 'For Vietnam residents only' })).toBeVisible();
  const [build] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download it' }).click(),
  ]);
  expect(build.url()).toMatch(/vng/);
});

test('a question of the FAQ opens, and stays open', async ({ page }) => {
  const errors = watchErrors(page);
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
  const errors = watchErrors(page);
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

test('the focus that is in the carousel when the page comes holds it', { tag: MATRIX }, async ({ page }) => {
  await page.clock.install();
  const arrive = await openWithoutScripts(page, '/rosaverx');
  const premium = page.getByRole('radio', { name: 'Premium' });
  await premium.focus();
  await page.keyboard.press('Space');

  arrive();
  await expect(page.locator('[data-side="here"]')).toHaveAccessibleName('Premium, 3 of 3');
  // One turn: after three it would be there again.
  await page.clock.runFor(6000);
  await expect(premium).toBeChecked();
  await premium.blur();
  await page.clock.runFor(5000);
  await expect(page.getByRole('radio', { name: 'Basic' })).toBeChecked();
});

test('a video opens where it stands', { tag: MATRIX }, async ({ page }) => {
  await openWithoutScripts(page, '/resellers');

  const video = page.getByRole('link', { name: /^Play the video/ });
  await expect(video).toHaveAttribute('href', /^https:/);
  await expect(video).toHaveAttribute('target', '_blank');
});

test('a code is redeemed, and one that is refused keeps all that was typed', async ({ page, site, device }) => {
  await openWithoutScripts(page, `/redeem?hwid=${device}&zone=z`);
  await page.getByLabel('Code').fill('no-such-code');
  await page.getByLabel('Email address').fill(`${device}@mail.example`);
  await page.getByRole('button', { name: 'Redeem' }).click();
  await expect(page.getByRole('heading', { name: 'Not quite yet' })).toBeVisible();
  await expect(page.getByLabel('Code')).toHaveValue('no-such-code');
  await expect(page.getByLabel('Device ID')).toHaveValue(device);

  await page.getByLabel('Code').fill(await issueCode(site));
  await page.getByRole('button', { name: 'Redeem' }).click();
  await expect(page.getByRole('heading', { name: 'Plus is on' })).toBeVisible();
});

test('the reset of devices is asked for', async ({ page }) => {
  await openWithoutScripts(page, '/v5');
  await page.getByLabel('Email address').fill('unknown@mail.example');
  await page.getByRole('button', { name: 'Reset devices' }).click();

  await expect(page.getByText('Error: could not reset devices. No active subscriptions or licenses.')).toBeVisible();
  await expect(page.getByLabel('Email address')).toHaveValue('unknown@mail.example');
});

test('the language changes, and the device stays', { tag: MATRIX }, async ({ page }) => {
  await openWithoutScripts(page, '/plans?hwid=device-1234&zone=z');
  await page.getByRole('link', { name: 'Tiếng Việt' }).click();

  await expect(page).toHaveURL('/plans?lang=vi&hwid=device-1234&zone=z');
  await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
});

test('the device is copied once the page knows it, and nothing before', async ({ page, device }) => {
  await page.addInitScript(() => {
    const copied: string[] = [];
    Object.assign(self, { copied });
    navigator.clipboard.writeText = (text) => Promise.resolve(void copied.push(text));
  });
  const arrive = await openWithoutScripts(page, `/key-system-2?hwid=${device}&zone=z`);
  await page.getByRole('button', { name: 'Copy Device ID' }).click();

  arrive();
  await expect.poll(() => page.evaluate(() => (self as unknown as { copied: string[] }).copied)).toEqual([device]);
});
