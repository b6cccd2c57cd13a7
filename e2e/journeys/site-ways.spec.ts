import type { Page } from '@playwright/test';
import { MATRIX } from '../fixtures/tags.ts';
import { expect, test } from '../fixtures/site.ts';

const DEVICE = 'hwid=device-ways-1&zone=zone-1&os=ios';
const PAGES = [
  ...['/', '/neo', '/arceusxv3', '/plans', '/resellers', '/successV5', '/errorV5', '/success-plus', '/payment-failed'],
  ...[
    '/rosaverx',
    '/encrypter',
    '/privacy-policy',
    '/portfolio',
    '/resetsuccessV5',
    '/redeem',
    '/reset-devices',
    '/claim-plan',
    '/developers',
    '/errors',
    '/stats',
    '/qa/design',
  ],
  ...['/gate', '/check-key', '/key-system-1', '/key-system-getkey', '/key-system-bypass', '/rosaverx/key-system-1'],
];
const PRODUCTS = ['/v5', '/neo', '/arceusxv3', '/rosaverx', '/plans', '/resellers', '/encrypter', '/check-key'];
const LEGAL = ['/privacy-policy', '/developers'];

test(
  'every page reaches every product within two taps, with device, zone and system',
  { tag: MATRIX },
  async ({ page }) => {
    // The gate leads on by itself as soon as its captcha is solved.
    await page.route('**/api/v2/verify-captcha', () => undefined);
    for (const path of PAGES) {
      await page.goto(`${path}?${DEVICE}`);
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
      // A link of the footer is one tap; one of the menu is two, with the button that opens it.
      const reached = new Set(await internalLinks(page));

      for (const product of [...PRODUCTS, ...LEGAL]) expect([...reached], path).toContain(`${product}?${DEVICE}`);
      expect(
        [...reached].some((href) => /key-system-1\?hwid=device-ways-1/.test(href)),
        path,
      ).toBe(true);
      await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Support' }), path).toHaveAttribute(
        'href',
        /^https:\/\/chat\./,
      );
    }
  },
);

test('a product is two taps away: the menu, and its link', async ({ page }) => {
  await page.goto(`/key-system-1?${DEVICE}`);
  for (const [name, address] of [
    ['NEO', '/neo'],
    ['RosaverX', '/rosaverx'],
    ['Plans', '/plans'],
    ['Resellers', '/resellers'],
    ['V5', '/v5'],
  ] as const) {
    await page.getByLabel('Menu', { exact: true }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

    await expect(page).toHaveURL(`${address}?${DEVICE}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    expect(await page.evaluate(() => window.scrollY), name).toBe(0);
  }
});

test('from pages of the companion the way to a key is the way to its own', async ({ page }) => {
  await page.goto('/rosaverx');
  await page.getByLabel('Menu', { exact: true }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Get a key' }).click();

  await expect(page).toHaveURL(/\/rosaverx\/key-system-1$/);
});

test('the first stop of the keyboard leads past the bar to the page', async ({ page }) => {
  await page.goto('/plans');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();

  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page).toHaveURL(/\/plans$/);
  await expect(skip).not.toBeInViewport();
});

test(
  'at the end of a key page the action that lies over it covers no link of the footer',
  { tag: MATRIX },
  async ({ page }) => {
    for (const size of [
      { width: 360, height: 740 },
      { width: 844, height: 390 },
    ]) {
      await page.setViewportSize(size);
      for (const path of [`/key-system-1?${DEVICE}`, `/rosaverx/key-system-1?${DEVICE}`, '/key-system-getkey']) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));

        for (const link of (await page.getByRole('contentinfo').getByRole('link').all()).slice(-6))
          await link.click({ trial: true });
      }
    }
  },
);

async function internalLinks(page: Page): Promise<string[]> {
  const links = page.locator('nav[aria-label="Main"] a, footer a');
  const addresses = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
  return addresses.filter((href) => href.startsWith('/'));
}
