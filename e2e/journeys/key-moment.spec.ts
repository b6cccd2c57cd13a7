import { earnKey } from '../fixtures/key-steps.ts';
import { expectStill, recordShifts } from '../fixtures/first-view.ts';
import { hold } from '../fixtures/held-page.ts';
import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';

const MINUTE = 60_000;
const WHO = 'hwid=device-moment-1&zone=zone-1';
const PROOF = /^Verified on this (phone|device), offline$/;

test('a key that was earned is checked in the page, and one tap leads with it to its check, also without a network', async ({
  page,
  context,
  device,
}) => {
  const code = page.waitForResponse(/check-key-page\.[^/]*\.js/);
  const key = await earnKey(page, device);
  const dialog = page.getByRole('dialog', { name: 'Key System completed!' });
  await expect(dialog.getByRole('link', { name: 'Launch' })).toBeFocused();
  const proof = dialog.getByRole('link', { name: PROOF });
  await expect(proof).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Launch' })).toBeFocused();

  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await (await code).finished();
  await context.setOffline(true);
  await proof.click();
  await expect(page).toHaveURL(/\/check-key\?[^#]*$/);
  await expect(page.getByLabel('Key', { exact: true })).toHaveValue(key);
  await expect(page.getByLabel('Device ID')).toHaveValue(device);
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('This key works');
  expect(sent.filter((request) => request.includes(key.slice(-40)))).toEqual([]);
});

test('the key arrives once, in at most 700 ms; with reduced motion it lies there', async ({ page }) => {
  await tellRunState(page, { keyLeft: 23 * 60 * MINUTE });
  const timesOf = (): Promise<unknown[]> =>
    page
      .locator('[data-arrives] > svg')
      .evaluate((key) => key.getAnimations().map(({ effect }) => effect?.getComputedTiming().endTime));

  await page.goto(`/key-system-getkey?${WHO}`);
  await expect(page.locator('[data-arrives=true]')).toBeVisible();
  for (const time of await timesOf()) expect(time).toBeLessThanOrEqual(700);
  const names = await page
    .locator('[data-arrives] > svg')
    .evaluate((key) => [getComputedStyle(key).animationName, getComputedStyle(key).animationIterationCount]);
  expect(names[0]).not.toBe('none');
  expect(names[1]).toBe('1');

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await expect(page.locator('[data-arrives=true]')).toBeVisible();
  expect(await timesOf()).toEqual([]);
  const dims = (dialog: Element) => getComputedStyle(dialog, '::backdrop').animationDuration;
  expect(await page.getByRole('dialog').evaluate(dims)).toBe('0.001s');
});

test('the ticket appears without a shift of the page', async ({ page }) => {
  await recordShifts(page);
  await tellRunState(page, { keyLeft: 23 * 60 * MINUTE });
  const answer = await hold(page, /\/api\/keysystem\/state/);
  await page.goto(`/key-system-getkey?${WHO}`, { waitUntil: 'commit' });
  await expect(page.getByText('Looking up your key')).toBeVisible();
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  answer();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectStill(page);
});
