import type { Page, Request } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';

const VIETNAM = 'The Vietnam build is for Vietnam residents only. Installing it may permanently change your account localisation and limit your access to the global version.';

function card(page: Page, name: string) {
  return page.locator('#downloads li').filter({ has: page.getByRole('heading', { name, exact: true }) });
}

test('each card says the state of its build, and the facts of the file beside it', async ({ page, request }) => {
  const list = (await (await request.get('/api/downloads')).json()) as Record<string, Record<string, { version: string; sha256: string }>>;
  const told = list['neo']?.['android'];
  await page.goto('/neo#downloads');
  const android = card(page, 'Android');

  await expect(android.getByText('Free', { exact: true })).toBeVisible();
  await expect(android.getByText('2.692.843')).toBeVisible();
  await expect(android.getByText(told?.version ?? '?', { exact: true })).toBeVisible();
  await expect(android.getByText(/^\d+ B$/)).toBeVisible();
  await expect(android.getByText(told?.sha256.slice(0, 8) ?? '?')).toBeVisible();
  await expect(android.getByRole('button', { name: 'Copy SHA-256' })).toBeVisible();
  await expect(card(page, 'Vietnam').getByText('2.692.841')).toBeVisible();
});

test('a build that is there downloads on a click', async ({ page }) => {
  await page.goto('/neo#downloads');
  const [download] = await Promise.all([page.waitForEvent('download'), card(page, 'Android').getByRole('link', { name: 'Download for Android' }).click()]);

  expect(download.suggestedFilename()).toBe('demo-neo-android.txt');
});

test('a build that is not there says so, and cannot be clicked', async ({ page }) => {
  await page.goto('/v5#downloads');
  const button = card(page, 'Vietnam').getByRole('button', { name: 'Not available yet' });

  await expect(button).toBeVisible();
  await expect(button).toBeDisabled();
});

test('the button of iOS on the page of V5 goes to /v5, that of NEO to its file', async ({ page }) => {
  await page.goto('/index#downloads');
  await expect(card(page, 'iOS').getByRole('link', { name: 'Download for iOS' })).toHaveAttribute('href', '/v5');

  await page.goto('/neo#downloads');
  await expect(card(page, 'iOS').getByRole('link', { name: 'Download for iOS' })).toHaveAttribute('href', '/download/neo/ios');
});

test('a status text with "updat" in it says Updating and no version; any other is the version', async ({ page }) => {
  await page.route('**/content/v5-android.txt', (route) => route.fulfill({ body: 'We are UPDATING it\n' }));
  await page.route('**/content/v5-ios.txt', (route) => route.fulfill({ body: ' 2.700.1 \n' }));
  await page.goto('/v5#downloads');

  await expect(card(page, 'Android').getByText('Updating', { exact: true })).toBeVisible();
  await expect(card(page, 'Android').getByText('UPDATING it')).toHaveCount(0);
  await expect(card(page, 'iOS').getByText('Updated', { exact: true })).toBeVisible();
  await expect(card(page, 'iOS').getByText('2.700.1', { exact: true })).toBeVisible();
});

test('without status texts the defaults stand, and nothing is said', async ({ page }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.route('**/content/{v5,neo}-*.txt', (route) => route.fulfill({ status: 204, body: '' }));
  await page.route('**/content/v5-android.txt', (route) => route.abort());
  await page.goto('/v5#downloads');

  for (const name of ['Android', 'Vietnam', 'iOS']) await expect(card(page, name).getByText('Updated', { exact: true })).toBeVisible();
  expect(said.filter((text) => !text.includes('Failed to load resource'))).toEqual([]);
});

test('the warning for Vietnam stands only where the address says so', async ({ page }) => {
  await page.goto('/neo?os=ANDROID_VNG#downloads');
  await expect(page.getByText('For Vietnam residents only')).toBeVisible();
  await expect(page.getByText('may permanently change your account localisation')).toBeVisible();

  for (const query of ['', '?os=android', '?os=ios']) {
    await page.goto(`/neo${query}#downloads`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('For Vietnam residents only')).toHaveCount(0);
  }
});

test('the Vietnam build downloads only after a yes', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request: Request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/neo#downloads');
  await page.waitForLoadState('networkidle');
  const button = card(page, 'Vietnam').getByRole('button', { name: 'Download for Vietnam' });

  await button.click();
  await expect(page.getByRole('alertdialog').getByText(VIETNAM, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await button.click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  expect(asked).not.toContain('/download/neo/android_vng');

  await button.click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'OK' }).click()]);
  expect(download.suggestedFilename()).toBe('demo-neo-android_vng.txt');
});

test('NEO says its facts', async ({ page }) => {
  await page.goto('/neo#downloads');
  for (const fact of ['Android', 'Free', 'about 170MB', '1.2.7', '4M+', '12/03/2024', '07/11/2023']) {
    await expect(page.getByRole('definition').filter({ hasText: new RegExp(`^${fact.replaceAll(/[.+]/g, '\\$&')}$`) }).last()).toBeVisible();
  }
});

test('who has paid for V5 can take the standard build, and the Vietnam one behind the question', async ({ page }) => {
  await page.route('**/api/downloads', (route) =>
    route.fulfill({ json: { v5: Object.fromEntries(['android', 'android_vng'].map((platform) => [platform, { available: true, version: '1', bytes: 1, sha256: 'a'.repeat(64) }])) } }),
  );
  await page.goto('/successV5');

  await expect(page.getByRole('link', { name: 'Download', exact: true })).toHaveAttribute('href', '/download/v5/android');
  await page.getByRole('button', { name: 'Download the Vietnam build' }).click();
  await expect(page.getByRole('alertdialog').getByText(VIETNAM, { exact: true })).toBeVisible();
});
