import { expect, test } from '../fixtures/site.ts';

test.use({ viewport: { width: 360, height: 740 }, contextOptions: { forcedColors: 'active' } });

/** Whether an element is painted in another colour than the page. */
const isFilled = (element: Element) =>
  getComputedStyle(element).backgroundColor !== getComputedStyle(document.body).backgroundColor;
const outline = (element: Element) => getComputedStyle(element).outlineStyle;

test('with forced colours the menu, the progress and the chosen advertiser are seen', async ({ page }) => {
  await page.goto('/key-system-1?hwid=device-forced&zone=zone-1');
  await expect(page.locator('[data-run-strip]')).toBeVisible();

  const bars = page.getByRole('button', { name: 'Menu' }).locator('span').first();
  expect(await bars.evaluate(isFilled)).toBe(true);
  expect(await page.locator('[data-state="now"]').first().evaluate(isFilled)).toBe(true);
  const chosen = page.locator('[data-chosen="true"]');
  await expect(chosen).toHaveCount(1);
  expect(await chosen.evaluate(outline)).toBe('solid');
  expect(await page.locator('[data-chosen="false"]').first().evaluate(outline)).toBe('none');
});
