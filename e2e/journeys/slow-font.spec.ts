import type { Page } from '@playwright/test';
import { readFirstView, recordShifts } from '../fixtures/first-view.ts';
import { hydrated } from '../fixtures/held-page.ts';
import { expect, test } from '../fixtures/site.ts';

const WHO = 'hwid=device-slow-font&zone=zone-1';

for (const path of ['/v5', '/plans', '/redeem', '/key-system-1', `/key-system-1?${WHO}`, '/key-system-getkey'])
  test(`on a slow line the fonts of ${path} come late, are shown on the first visit, and move nothing`, async ({
    page,
  }) => {
    let goOn: () => void = () => undefined;
    const going = new Promise<void>((resolve) => (goOn = resolve));
    await page.route('**/*.woff2', async (route) => {
      await going;
      await route.continue();
    });
    await page.route('**/api/latest-purchase', (route) => route.fulfill({ json: [] }));
    await recordShifts(page);
    await page.goto(path, { waitUntil: 'commit' });
    await expect(hydrated(page)).toBeAttached();
    expect(await isShown(page)).toEqual([false, false]);

    goOn();

    await expect.poll(() => isShown(page)).toEqual([true, true]);
    // A shift is told with the frame that shows it.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const { shifts } = await readFirstView(page);
    expect(
      shifts.reduce((sum, { value }) => sum + value, 0),
      JSON.stringify(shifts),
    ).toBeLessThan(0.01);
  });

/** Whether headings and text have the fonts of the brand. */
function isShown(page: Page): Promise<boolean[]> {
  return page.evaluate(() => {
    const loaded = [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);
    return ['Sora', 'Figtree'].map((name) => loaded.some((family) => family.includes(`${name} Variable`)));
  });
}
