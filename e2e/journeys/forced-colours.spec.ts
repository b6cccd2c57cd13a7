import { expect, test } from '../fixtures/site.ts';

test.use({ viewport: { width: 360, height: 740 }, contextOptions: { forcedColors: 'active' } });

/** Whether an element, or what it paints before itself, differs from the page's own colour. */
const isSeen = (element: Element) => {
  const { backgroundColor, outlineStyle } = getComputedStyle(element);
  return backgroundColor !== getComputedStyle(document.body).backgroundColor || outlineStyle !== 'none';
};

test('with forced colours the menu, the progress and the chosen advertiser are seen', async ({ page }) => {
  await page.goto('/key-system-1?hwid=device-forced&zone=zone-1');
  await expect(page.locator('[data-run-strip]')).toBeVisible();

  const bars = page.getByRole('button', { name: 'Menu' }).locator('span').first();
  expect(await bars.evaluate(isSeen)).toBe(true);
  expect(await page.locator('[data-state="now"]').first().evaluate(isSeen)).toBe(true);
  const chosen = page.locator('[data-chosen="true"]');
  await expect(chosen).toHaveCount(1);
  expect(await chosen.evaluate(isSeen)).toBe(true);
  expect(await page.locator('[data-chosen="false"]').first().evaluate(isSeen)).toBe(false);
});
