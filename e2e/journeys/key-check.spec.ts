import type { Page } from '@playwright/test';
import { violations } from '../fixtures/axe.ts';
import { settled } from '../fixtures/settled.ts';
import { earnKey } from '../fixtures/earn-key.ts';
import { expect, test } from '../fixtures/site.ts';

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
  await expect(result).toContainText('RosaverX');
  await expect(result.getByRole('timer')).toContainText(/23:59:\d\d/);
  expect(told).toEqual([]);
  await expect(page.getByRole('button', { name: 'Check' })).toBeFocused();
  expect(await violations(page)).toEqual([]);

  await result.getByRole('button', { name: 'Ask the server' }).click();
  await expect(result).toContainText('The server says: This key works');
  await expect(result.getByRole('button', { name: 'Ask the server' })).toBeFocused();
  expect(told).toEqual(['/api/key/verify']);
  expect(page.url()).not.toContain('eyJ');

  await page.getByLabel('Device ID').fill(`${device}x`);
  await expect(result).toBeHidden();
  await check(page, key, `${device}x`);
  await expect(result).toContainText('This key is for another device');

  await check(page, `${key.slice(0, -4)}AAAA`, device);
  await expect(result).toContainText('This isn’t one of our keys');
  // What is still fading in has too little contrast.
  await result.evaluate(() =>
    document.getAnimations().forEach((animation) => {
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    }),
  );
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

  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Your clock is behind');
});

test('in airplane mode a key is checked part by part, and nothing is sent until the server is asked', async ({
  page,
  context,
  device,
}) => {
  const key = await earnKey(page, device);
  await page.goto('/check-key');
  await expect(page.getByText('Ready. Switch on airplane mode and try it.')).toBeVisible();
  await settled(page);
  await context.setOffline(true);

  await check(page, key, device);
  const parts = page.getByRole('region', { name: 'The check' });
  await expect(parts.getByRole('listitem')).toContainText([
    'It’s ours, and untouched.',
    'Locked to exactly this device ID.',
    'Runs until ',
  ]);
  await expect(parts.getByText('0 requests sent')).toBeVisible();

  await page.getByLabel('Device ID').fill('another-device');
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(parts.getByRole('listitem')).toContainText([
    'It’s ours, and untouched.',
    'No. The check stops here.',
    'Not checked.',
  ]);

  await page.getByRole('button', { name: 'Try a sample key' }).click();
  await expect(parts).toContainText('It’s a sample that your browser made just now. It won’t open the app.');
  await expect(parts.getByText('0 requests sent')).toBeVisible();

  await context.setOffline(false);
  await parts.getByRole('button', { name: 'Ask the server' }).click();
  await expect(parts).toContainText('The server says: We don’t know who signed this key');
  await expect(parts.getByText('1 request sent')).toBeVisible();
  await expect(parts).toContainText('since the check began. /api/key/verify');
});
