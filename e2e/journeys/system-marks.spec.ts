import type { Locator } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';

test('on the key page an iPhone is shown the drawing of an apple, Android its robot, Windows its window', async ({
  page,
}) => {
  await page.goto('/neo');
  const apple = await drawingIn(
    page.locator('#downloads li').filter({ hasText: 'Download for iOS' }).locator('div').first(),
  );
  const robot = await drawingIn(
    page.locator('#downloads li').filter({ hasText: 'Download for Android' }).locator('div').first(),
  );
  expect(apple).not.toBe(robot);

  for (const { os, mark } of [
    { os: 'ios', mark: apple },
    { os: 'android', mark: robot },
    { os: 'android_vng', mark: robot },
  ]) {
    await page.goto(`/key-system-1?hwid=device-marks&zone=z&os=${os}`);
    const shown = page.locator(`main [data-os="${os}"]`).first();
    await expect(shown).toBeVisible();
    expect(await drawingIn(shown), os).toBe(mark);
  }
  await page.goto('/key-system-1?hwid=device-marks&zone=z&os=windows');
  await expect(page.locator('main [data-os="windows"]').first()).toBeVisible();
  expect([apple, robot]).not.toContain(await drawingIn(page.locator('main [data-os="windows"]').first()));
});

test('what an iPhone is shown is an apple: a leaf above a body with a bite on its right', async ({ browser, site }) => {
  const page = await browser.newPage({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' });
  await page.goto(`${site.url}/key-system-1?hwid=device-marks&zone=z`);
  const mark = page.locator('main [data-os="ios"] svg').first();
  await expect(mark).toBeVisible();

  // The drawing as 24 rows of 24 characters.
  const rows = await mark.evaluate((svg) => {
    const shapes = [...svg.querySelectorAll<SVGGeometryElement>('path')];
    const at = (x: number, y: number) =>
      shapes.some((shape) => shape.isPointInFill(new DOMPoint(x, y)) || shape.isPointInStroke(new DOMPoint(x, y)));
    return Array.from({ length: 24 }, (_, y) =>
      Array.from({ length: 24 }, (_, x) => (at(x + 0.5, y + 0.5) ? '#' : '.')).join(''),
    );
  });
  const [leaf, shoulder, bite, hip] = [2, 9, 13, 18].map((row) => ({
    from: rows[row]?.indexOf('#') ?? -1,
    to: rows[row]?.lastIndexOf('#') ?? -1,
  }));
  expect(leaf?.from).toBeGreaterThanOrEqual(12);
  expect((leaf?.to ?? 0) - (leaf?.from ?? 0)).toBeLessThan(6);
  expect(bite?.to).toBeLessThan(shoulder?.to ?? 0);
  expect(bite?.to).toBeLessThan(hip?.to ?? 0);
  expect(bite?.from).toBeLessThanOrEqual(shoulder?.from ?? 0);
  await page.close();
});

function drawingIn(place: Locator): Promise<string> {
  return place.locator('svg').first().innerHTML();
}
