import type { Page } from '@playwright/test';
import { MAIN, MATRIX } from '../fixtures/tags.ts';
import { expect, test } from '../fixtures/site.ts';

const MOST_TAPS = 12;

test(
  'from the link to the key a player taps at most 12 times, besides what the advertisers ask',
  { tag: MATRIX },
  async ({ page, device }) => {
    const taps = await countTaps(page);
    await page.goto(`/key-system-1?hwid=${device}&zone=zone-1`);

    for (const step of [1, 2, 3, 4, 5, 6]) {
      await expect(page.getByText(`Step ${step} of 6`)).toBeVisible();
      const complete = page.getByRole('link', { name: /^Complete/ });
      await expect(complete).toHaveAttribute('href', /./);
      await complete.click();
      await page.getByRole('button', { name: 'Continue' }).click();
    }
    await expect(page.getByRole('dialog', { name: 'Key System completed!' })).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('heading', { name: /^Your key is ready/ })).toBeVisible();

    // Six times Complete, and Close.
    expect(taps()).toBeGreaterThanOrEqual(7);
    expect(taps()).toBeLessThanOrEqual(MOST_TAPS);
  },
);

test(
  'a visitor who chooses an advertiser, goes there and comes back by Back still has the device',
  { tag: MAIN },
  async ({ page, device }) => {
    await page.goto(`/key-system-1?hwid=${device}&zone=zone-1`);
    await page.getByRole('radio', { name: 'Rinku' }).check();
    await page.getByRole('link', { name: /^Complete/ }).click();
    await expect(page.getByRole('heading', { name: 'Rinku' })).toBeVisible();

    await page.goBack();

    await expect(page.getByRole('radio', { name: 'Rinku' })).toBeChecked();
    await expect(page.getByRole('link', { name: /^Complete/ })).toHaveAttribute('href', /advertiser=rinku/);
    await expect(page).toHaveURL(`/key-system-1?hwid=${device}&zone=zone-1&advertiser=rinku`);
  },
);

/**
 * Counts the taps, clicks and keys of a visitor on our own pages.
 * @returns a function that tells the count so far
 */
async function countTaps(page: Page): Promise<() => number> {
  let count = 0;
  await page.exposeFunction('countTap', () => void (count += 1));
  await page.addInitScript(() => {
    if (!location.pathname.includes('key-system')) return;

    const { countTap } = window as unknown as { countTap: () => void };
    for (const event of ['pointerdown', 'keydown']) addEventListener(event, () => countTap(), true);
  });
  return () => count;
}
