import type { Locator, Page, Request } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';
import { inBothWindows } from '../fixtures/windows.ts';

const BUILD = { available: true, version: '1', bytes: 1, sha256: 'a'.repeat(64) };
const VIETNAM =
  'The Vietnam build is for Vietnam residents only. Installing it may permanently change your account localisation and limit your access to the global version.';

test('NEO says its facts and the state of each build, and a build that is there downloads on a click', async ({
  page,
  request,
}) => {
  const list = (await (await request.get('/api/downloads')).json()) as Record<
    string,
    Record<string, { version: string; sha256: string }>
  >;
  const told = list['neo']?.['android'];
  await page.goto('/neo#downloads');
  const android = card(page, 'Android');

  await inBothWindows(page, async () => {
    await expect(android.getByText('Free', { exact: true })).toBeVisible();
    await expect(android.getByText('2.692.843')).toBeVisible();
    await expect(android.getByText(told?.version ?? '?', { exact: true })).toBeVisible();
    await expect(android.getByText('170 MB', { exact: true })).toBeVisible();
    await expect(android.getByText(told?.sha256.slice(0, 8) ?? '?')).toBeVisible();
    await expect(android.getByRole('button', { name: 'Copy SHA-256' })).toBeVisible();
    await expect(card(page, 'Vietnam').getByText('2.692.841')).toBeVisible();
    await expect(card(page, 'iOS').getByRole('link', { name: 'Download for iOS' })).toHaveAttribute(
      'href',
      '/download/neo/ios',
    );
    for (const fact of ['Android', 'Free', 'about 170MB', '1.2.7', '4M+', '12/03/2024', '07/11/2023']) {
      await expect(
        page
          .getByRole('definition')
          .filter({ hasText: new RegExp(`^${fact.replaceAll(/[.+]/g, '\\$&')}$`) })
          .last(),
      ).toBeVisible();
    }
    await expect(page.getByText('For Vietnam residents only')).toHaveCount(0);
  });

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    android.getByRole('link', { name: 'Download for Android' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('demo-neo-android.txt');
});

test('the button of iOS leads to the downloads of /v5, where iOS comes first for an iPhone, and downloads the file', async ({
  browser,
  site,
}) => {
  const page = await browser.newPage({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
    viewport: { width: 360, height: 740 },
  });
  await page.route('**/api/downloads', (route) => route.fulfill({ json: { v5: { ios: BUILD } } }));
  await page.goto(`${site.url}/index?hwid=device-1&zone=z`);
  const download = page.waitForEvent('download');
  await card(page, 'iOS').getByRole('link', { name: 'Download for iOS' }).click();
  await expect(page).toHaveURL(/\/v5\?hwid=device-1&zone=z#downloads$/);
  await expect(page.locator('#downloads h2')).toBeInViewport();
  await expect(page.locator('#downloads li h3')).toHaveText(['iOS', 'Android', 'Vietnam']);
  await expectInSight(page, card(page, 'iOS').getByRole('link'));
  expect((await download).suggestedFilename()).toBe('demo-v5-ios.txt');
  await page.close();
});

test('a visitor who comes from Vietnam is warned before the cards, and asked before that build downloads', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request: Request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/neo?os=ANDROID_VNG#downloads');
  const button = card(page, 'Vietnam').getByRole('link', { name: 'Download for Vietnam' });
  const question = page.getByRole('alertdialog');

  await inBothWindows(page, async () => {
    await expect(page.getByText('For Vietnam residents only')).toBeVisible();
    await expect(page.getByText('may permanently change your account localisation')).toBeVisible();

    await button.click();
    await expect(question.getByText(VIETNAM, { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await button.click();
    await expect(question).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
  });
  expect(asked).not.toContain('/download/neo/android_vng');

  await button.click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'OK' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('demo-neo-android_vng.txt');
});

/** Expects that an element is visible between the navbar and the sticky action at the bottom. */
async function expectInSight(page: Page, target: Locator) {
  const bar = await page.locator('header[data-scrolled]').first().boundingBox();
  const action = await page.locator('[data-sticky-action]').boundingBox();
  await expect.poll(async () => (await target.boundingBox())?.y ?? 0).toBeGreaterThanOrEqual(bar?.height ?? 0);
  const box = await target.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(action?.y ?? 740);
}

function card(page: Page, name: string) {
  return page.locator('#downloads li').filter({ has: page.getByRole('heading', { name, exact: true }) });
}
