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

function linksOf(page: Page): Promise<string[]> {
  return page
    .locator('a[href]')
    .evaluateAll((links) =>
      links.filter((link) => !link.closest('[hidden]')).map((link) => link.getAttribute('href') ?? ''),
    );
}
