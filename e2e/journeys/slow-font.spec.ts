import type { Page } from '@playwright/test';
import { expectStill, recordShifts } from '../fixtures/first-view.ts';
import { hold, hydrated } from '../fixtures/held-page.ts';
import { expect, test } from '../fixtures/site.ts';

const WHO = 'hwid=device-slow-font&zone=zone-1';

for (const path of ['/v5', '/plans', '/redeem', '/key-system-1', `/key-system-1?${WHO}`, '/key-system-getkey'])
  test(`on a slow line the fonts of ${path} come late, are shown on the first visit, and move nothing`, ({ page }) =>
    expectToStay(page, path, ['Sora Variable', 'Figtree Variable']));

// Where most has moved.
for (const [path, width] of [
  ['/plans', 412],
  ['/privacy-policy', 390],
  ['/redeem', 1440],
] as const)
  test.describe('in Vietnamese', () => {
    test.use({ locale: 'vi-VN', viewport: { width, height: 900 } });

    test(`on a slow line the font of ${path} comes late, and moves nothing`, ({ page }) =>
      expectToStay(page, path, ['Jakarta']));
  });

test.describe('in Vietnamese', () => {
  test.use({ locale: 'vi-VN' });

  test('the texts of a page are as wide in the font as in what stands for it until it comes', async ({ page }) => {
    await page.goto('/plans');
    const ratios = await page.evaluate(async () => {
      const [font = '', ...fallbacks] = getComputedStyle(document.documentElement)
        .getPropertyValue('--font-text')
        .split(', ');
      const context = document.createElement('canvas').getContext('2d')!;
      const measure = (css: string) => {
        context.font = css;
        return context.measureText(document.querySelector('main')!.textContent).width;
      };

      const found: number[] = [];
      for (const weight of ['400', '700']) {
        const [real, fallback] = [`${weight} 20px ${font}`, `${weight} 20px ${fallbacks.join(', ')}`];
        await Promise.allSettled([document.fonts.load(real, 'Tải'), document.fonts.load(fallback, 'Tải')]);
        found.push(measure(fallback) / measure(real));
      }
      return found;
    });

    for (const ratio of ratios) expect(Math.abs(ratio - 1), String(ratios)).toBeLessThan(0.03);
  });
});

/** Expects that fonts which come late are shown, and that nothing moves then. */
async function expectToStay(page: Page, path: string, families: string[]): Promise<void> {
  const goOn = await hold(page, /\.woff2/);
  await page.route('**/api/latest-purchase', (route) => route.fulfill({ json: [] }));
  await recordShifts(page);
  await page.goto(path, { waitUntil: 'commit' });
  await expect(hydrated(page)).toBeAttached();
  expect(await findShown(page, families)).toEqual([]);

  goOn();

  await expect.poll(() => findShown(page, families)).toEqual(families);
  await expectStill(page);
}

/** Which of these fonts have loaded. */
function findShown(page: Page, families: string[]): Promise<string[]> {
  return page.evaluate((names) => {
    const loaded = [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);
    return names.filter((name) => loaded.some((family) => family.replaceAll(/["']/g, '') === name));
  }, families);
}
