import type { Page } from '@playwright/test';
import { violations } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/site.ts';

/** Plays a whole run of the companion, which is shorter, and returns its key. */
async function earnKey(page: Page, device: string): Promise<string> {
  const query = `hwid=${device}&zone=zone-1`;
  await page.goto(`/rosaverx/key-system-1?${query}`);
  for (const next of ['2', '3', 'getkey']) {
    const complete = page.getByRole('link', { name: /^Complete/ });
    await expect(complete).toHaveAttribute('href', /./);
    await complete.click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(new RegExp(`/rosaverx/key-system-${next}\\?`));
  }
  return ((await (await page.request.get(`/api/key?${query}&app=companion`)).json()) as { key: string }).key;
}

async function check(page: Page, key: string, device: string) {
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByLabel('Device ID').fill(device);
  await page.getByRole('button', { name: 'Check' }).press('Enter');
}

test('a key is checked in the browser, without being sent; then the server may be asked, too', async ({
  page,
  device,
}) => {
  const key = await earnKey(page, device);
  const told: string[] = [];
  await page.goto(`/check-key?hwid=${device}`);
  // Only the signature is secret: to have it is to have the key.
  const signature = key.slice(-40);
  page.on('request', (request) => {
    if (`${request.url()} ${request.postData() ?? ''}`.includes(signature)) told.push(new URL(request.url()).pathname);
  });
  await expect(page.getByLabel('Device ID')).toHaveValue(device);

  await check(page, `${key.slice(0, 40)}\n${key.slice(40)}`, device);
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('This key works');
  await expect(result).toContainText('companion');
  await expect(result.getByRole('timer')).toContainText(/23:59:\d\d/);
  expect(told).toEqual([]);
  await expect(page.getByRole('button', { name: 'Check' })).toBeFocused();
  expect(await violations(page)).toEqual([]);

  await result.getByRole('button', { name: 'Ask the server' }).click();
  await expect(result).toContainText('The server says: This key works (app: companion)');
  await expect(result.getByRole('button', { name: 'Ask the server' })).toBeFocused();
  // The page asked for the main app first, which the key is not for.
  expect(told).toEqual(['/api/key/verify', '/api/key/verify']);
  expect(page.url()).not.toContain('eyJ');

  await page.getByLabel('Device ID').fill(`${device}x`);
  await expect(result).toBeHidden();
  await check(page, key, `${device}x`);
  await expect(result).toContainText('This key is for another device');

  await check(page, `${key.slice(0, -4)}AAAA`, device);
  await expect(result).toContainText('This is not one of our keys');
  expect(await violations(page)).toEqual([]);

  await page.clock.setFixedTime(Date.now() + 25 * 60 * 60 * 1000);
  await check(page, key, device);
  await expect(result).toContainText('This key has expired');
  await expect(result).toContainText('EXPIRED');
});

test('threat 22: a clock that was set back is noticed', async ({ page, device }) => {
  const key = await earnKey(page, device);
  await page.goto('/check-key');
  await page.clock.setFixedTime(Date.now() - 60 * 60 * 1000);
  await check(page, key, device);

  await expect(page.getByRole('region', { name: 'Result' })).toContainText('The clock of this device is behind');
});

test('a browser without Ed25519 says so, and the server checks instead', async ({ page, device }) => {
  await page.addInitScript(() => {
    crypto.subtle.importKey = () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
  });
  const key = await earnKey(page, device);
  await page.goto('/check-key');
  await check(page, key, device);

  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('This browser cannot check keys');
  await result.getByRole('button', { name: 'Ask the server' }).click();
  await expect(result).toContainText('The server says: This key works (app: companion)');
});
