import { finishStep } from '../fixtures/key-steps.ts';
import { expect, test } from '../fixtures/site.ts';
import { endStay, stayOf } from '../fixtures/toast-stay.ts';

test.use({ viewport: { width: 1440, height: 900 } });

test('a message appears at the top right, stays 5 s, pauses for a reader and takes the focus by Alt+T', async ({
  page,
  device,
}) => {
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);
  await finishStep(page);
  await expect(page).toHaveURL(/\/key-system-2\?/);
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);

  const toast = page.getByRole('status').filter({ hasText: 'Your run goes on at step 2.' });
  await expect(toast).toBeVisible();
  const box = await toast.boundingBox();
  expect(box?.y).toBeLessThan(200);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1300);

  await expect.poll(() => stayOf(toast)).toEqual({ ms: 5000, isPaused: false });

  await page.keyboard.press('Alt+t');
  await expect(toast).toBeFocused();
  await toast.hover();
  await expect.poll(() => stayOf(toast)).toEqual({ ms: 5000, isPaused: true });

  await page.mouse.move(10, 500);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await expect.poll(() => stayOf(toast)).toEqual({ ms: 5000, isPaused: false });

  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await expect.poll(() => stayOf(toast)).toEqual({ ms: 5000, isPaused: true });
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect.poll(() => stayOf(toast)).toEqual({ ms: 5000, isPaused: false });
  await endStay(toast);
  await expect(toast).toBeHidden();
});

for (const [width, height] of [
  [320, 640],
  [844, 390],
  [1440, 900],
] as const)
  test(`the offer of another version leaves the navbar free at ${width} x ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.route('**/api/federation/resolution**', async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll(/"version":"[^"]+"/g, '"version":"99.0.0"');
      await route.fulfill({ response, body: text });
    });
    await page.clock.install();
    await page.goto('/plans');
    // A clock that leaps while the code of the toasts is on its way leaps over its time-out, and it never comes.
    await expect(page.getByRole('region', { name: /^Notices/ })).toBeAttached();
    await page.clock.fastForward('31:00');

    const offer = page.getByRole('status').filter({ hasText: 'There’s a newer version of this site.' });
    await expect(offer).toBeVisible();
    const navbar = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
    const box = await offer.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual((navbar?.y ?? 0) + (navbar?.height ?? 0));
  });
