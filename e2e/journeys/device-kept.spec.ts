import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';

const DEVICE = 'hwid=device-kept-1&zone=zone-1&os=ios';
const PAGES = [
  ...['/', '/index', '/v5', '/neo', '/arceusxv3', '/plans', '/resellers', '/successV5', '/errorV5', '/success-plus'],
  ...['/payment-failed', '/redeem', '/reset-devices', '/claim-plan', '/rosaverx', '/encrypter', '/privacy-policy'],
  ...['/portfolio', '/resetsuccessV5', '/check-key', '/key-system-bypass', '/rosaverx/key-system-bypass'],
];
/** Pages that lead to files, a sandbox or an advertiser as well: their menu and footer are looked at. */
const FRAMES = [
  ...['/developers', '/errors', '/stats', '/status', '/qa/design'],
  ...['/gate', '/key-system-1', '/key-system-getkey', '/rosaverx/key-system-1'],
];
/** What the menu or the footer of each page leads to. */
const REACHED = [
  ...['/v5', '/neo', '/arceusxv3', '/rosaverx', '/plans', '/resellers', '/encrypter', '/check-key'],
  ...['/privacy-policy', '/developers', '/status'],
];

test('every link within the site keeps device, zone and system; links to other sites do not get them', async ({
  page,
}) => {
  test.slow();
  // The gate leads on by itself as soon as its captcha is solved.
  await page.route('**/api/v2/verify-captcha', () => undefined);
  for (const path of [...PAGES, ...FRAMES]) {
    await page.goto(`${path}?${DEVICE}&other=1`);
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();

    const reached = new Set<string>();
    for (const href of await linksOf(page, FRAMES.includes(path) ? 'nav a[href], footer a[href]' : 'a[href]')) {
      const url = new URL(href, page.url());
      const isPage = url.origin === new URL(page.url()).origin && !/^\/(download|api)\//.test(url.pathname);

      if (isPage)
        expect(Object.fromEntries(url.searchParams), `${href} on ${path}`).toMatchObject({
          hwid: 'device-kept-1',
          zone: 'zone-1',
          os: 'ios',
        });
      else if (!url.pathname.startsWith('/api/')) expect(href, `${href} on ${path}`).not.toContain('device-kept-1');
      if (isPage) reached.add(url.pathname);
    }
    expect([...reached], path).toEqual(expect.arrayContaining(REACHED));
    expect([...reached].join(), path).toContain('/key-system-1');
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Support' }), path).toHaveAttribute(
      'href',
      /^https:\/\/chat\./,
    );
  }
});

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

test('at the end of a key page the action that lies over it covers no link of the footer', async ({ page }) => {
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
});

function linksOf(page: Page, selector: string): Promise<string[]> {
  return page
    .locator(selector)
    .evaluateAll((links) =>
      links.filter((link) => !link.closest('[hidden]')).map((link) => link.getAttribute('href') ?? ''),
    );
}
