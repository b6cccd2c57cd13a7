import type { Page } from '@playwright/test';
import { violations } from '../fixtures/axe.ts';
import { earnKey } from '../fixtures/key-steps.ts';
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

test('threat 22: a clock that was set back is detected', async ({ page, device }) => {
  const key = await earnKey(page, device);
  await page.goto('/check-key');
  await page.clock.setFixedTime(Date.now() - 60 * 60 * 1000);
  await check(page, key, device);

  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Your clock is behind');
});
