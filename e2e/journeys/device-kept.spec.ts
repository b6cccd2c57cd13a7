import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';

const DEVICE = 'hwid=device-kept-1&zone=zone-1&os=ios';
const PAGES = [
  ...[
    '/',
    '/index',
    '/v5',
    '/neo',
    '/arceusxv3',
    '/plans',
    '/resellers',
    '/successV5',
    '/errorV5',
    '/payment-failed',
    '/success-plus',
    '/redeem',
    '/reset-devices',
    '/claim-plan',
  ],
  ...[
    '/rosaverx',
    '/encrypter',
    '/privacy-policy',
    '/portfolio',
    '/resetsuccessV5',
    '/check-key',
    '/key-system-bypass',
    '/rosaverx/key-system-bypass',
  ],
];

test('every link within the site keeps device, zone and system; links to other sites do not get them', async ({
  page,
}) => {
  const seen = new Set<string>();
  for (const path of PAGES) {
    await page.goto(`${path}?${DEVICE}&other=1`);
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();

    for (const href of await linksOf(page)) {
      const url = new URL(href, page.url());
      const isPage = url.origin === new URL(page.url()).origin && !/^\/(download|api)\//.test(url.pathname);

      if (isPage)
        expect(Object.fromEntries(url.searchParams), `${href} on ${path}`).toMatchObject({
          hwid: 'device-kept-1',
          zone: 'zone-1',
          os: 'ios',
        });
      else if (!url.pathname.startsWith('/api/')) expect(href, `${href} on ${path}`).not.toContain('device-kept-1');
      if (isPage) seen.add(url.pathname);
    }
  }
  for (const path of [
    '/index',
    '/v5',
    '/neo',
    '/arceusxv3',
    '/plans',
    '/resellers',
    '/privacy-policy',
    '/key-system-1',
    '/rosaverx/key-system-1',
  ])
    expect([...seen]).toContain(path);
});

test('from V5 a player comes with the device to NEO, to the key and to the plans, and home again', async ({ page }) => {
  await page.goto('/v5?hwid=device-kept-1&zone=zone-1');
  await page.getByRole('link', { name: 'Learn more about NEO' }).click();
  await page.getByRole('link', { name: 'Get a key' }).click();
  await expect(page).toHaveURL('/key-system-1?hwid=device-kept-1&zone=zone-1');
  await expect(page.getByText('null')).toHaveCount(0);

  await page.getByRole('link', { name: 'Arceus X', exact: true }).click();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Plans' }).click();
  await expect(page).toHaveURL('/plans?hwid=device-kept-1&zone=zone-1');
  await expect(page.getByText('For your device')).toBeVisible();
});

test('with an invalid device, a plan asks to begin in the app; a visitor who reaches the payment reads why it is refused', async ({
  page,
}) => {
  await page.goto('/plans?hwid=%3Cscript%3E&zone=z');
  await expect(page.getByText('Tap “Get Plan” in the app. It brings you back here')).toBeVisible();
  await page.getByRole('link', { name: 'Get Plus' }).click();
  await expect(
    page.getByRole('alertdialog').getByText(/^Get this plan by clicking the 'Get Plan' button inside the app/),
  ).toBeVisible();

  await page.evaluate(() => location.assign('/api/create-payment?hwid=%3Cscript%3E&zone=z&mode=2'));
  await expect(page.getByRole('heading', { level: 1, name: 'This link is broken' })).toBeVisible();
  await page.getByRole('link', { name: 'Go back' }).click();
  await expect(page.getByRole('link', { name: 'Get Plus' })).toBeVisible();
});

function linksOf(page: Page): Promise<string[]> {
  return page
    .locator('a[href]')
    .evaluateAll((links) =>
      links.filter((link) => !link.closest('[hidden]')).map((link) => link.getAttribute('href') ?? ''),
    );
}
