import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';

const WHO = 'hwid=device-reach-1&zone=zone-1';

for (const { width, height } of [
  { width: 320, height: 640 },
  { width: 844, height: 390 },
])
  test.describe(`in a window of ${String(width)} by ${String(height)} pixels with text of 200 %`, () => {
    test.use({ viewport: { width, height } });
    test.beforeEach(({ page }) =>
      page.addInitScript(() =>
        document.addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '200%')),
      ),
    );

    for (const step of [1, 5])
      test(`the button of step ${String(step)} is within the window, and the strip stays there`, async ({ page }) => {
        await tellRunState(page, { step });
        await page.goto(`/key-system-${String(step)}?${WHO}`);
        const complete = page.getByRole('link', { name: /^Complete/ });
        await expect(complete).toHaveAttribute('href', /./);
        await expect(complete).toBeInViewport({ ratio: 1 });

        await page.mouse.wheel(0, 400);
        await expect(page.getByRole('heading', { name: `Step ${String(step)} of 6` })).toBeInViewport({
          ratio: 1,
        });
        await expect(complete).toBeInViewport({ ratio: 1 });
        const strip = await page.locator('[data-run-strip]').boundingBox();
        const action = await page.locator('[data-sticky-action]').boundingBox();
        expect((strip?.y ?? 0) + (strip?.height ?? 0)).toBeLessThan((action?.y ?? 0) - 60);
      });

    test('the window of a key opens at its top, with its button in sight', async ({ page }) => {
      await tellRunState(page, { keyLeft: 60 * 60_000 });
      await page.goto(`/key-system-getkey?${WHO}`);
      const dialog = page.getByRole('dialog', { name: 'Key System completed!' });

      await expect(dialog.getByRole('heading')).toBeInViewport();
      await expect(dialog.getByRole('link', { name: 'Launch' })).toBeInViewport({ ratio: 1 });
      await expect(dialog.getByRole('link', { name: 'Launch' })).toBeFocused();
      expect(await dialog.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    });
  });
