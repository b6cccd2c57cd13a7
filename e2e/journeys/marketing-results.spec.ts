import type { Page } from '@playwright/test';
import { expectStill, recordShifts } from '../fixtures/first-view.ts';
import { expect, test } from '../fixtures/site.ts';
import { inBothWindows } from '../fixtures/windows.ts';

for (const { path, heading, action, leadsTo } of [
  {
    path: '/errorV5',
    heading: 'An error occurred during the payment! Please try again.',
    action: 'Retry Payment',
    leadsTo: '/resellers?hwid=device-1&zone=z',
  },
  { path: '/success-premium', heading: 'Premium plan', action: 'Launch', leadsTo: 'roblox://' },
]) {
  test(`${path} says on one screen what happened and what to do next`, async ({ page }) => {
    await page.goto(`${path}?hwid=device-1&zone=z`);
    const next = page.getByRole('main').getByRole('link', { name: action, exact: true });

    await inBothWindows(page, async () => {
      await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeInViewport();
      await expect(next).toBeInViewport({ ratio: 1 });
      const end = await page.getByRole('main').evaluate((main) => main.getBoundingClientRect().bottom);
      expect(end).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    });
    await expect(next).toHaveAttribute('href', leadsTo);
  });
}

test('a visitor who has paid for V5 can take the standard build, and the Vietnam one behind the question', async ({
  page,
}) => {
  await page.goto('/successV5');

  await inBothWindows(page, async () => {
    await expect(
      page.getByRole('heading', { level: 1, name: 'Congratulations! Payment Successfull!', exact: true }),
    ).toBeInViewport();
    await expect(page.getByRole('link', { name: 'Download', exact: true })).toHaveAttribute(
      'href',
      '/download/v5/android',
    );
    await page.getByRole('link', { name: 'Download the Vietnam build' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('may permanently change your account localisation');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('alertdialog')).toBeHidden();
  });
});

test('when nothing opens after Launch, the page says how to go on, and leads to the apps', async ({ page }) => {
  await page.clock.install();
  await page.goto('/success-plus?hwid=device-1&zone=z');
  await leadLaunchNowhere(page);
  const launch = page.getByRole('link', { name: 'Launch' });
  await launch.click();
  await page.clock.runFor(1600);
  const help = page.getByRole('alertdialog', { name: 'App didn’t open?' });
  await expect(help).toContainText('Open it from your home screen.');
  await help.getByRole('button', { name: 'Close' }).click();
  await expect(help).toBeHidden();
  await expect(launch).toBeFocused();

  await launch.click();
  await page.clock.runFor(1600);
  await help.getByRole('button', { name: 'Get the app' }).click();
  await expect(page).toHaveURL(/\/index\?hwid=device-1&zone=z#choose$/);
});

test('when the app opens after Launch, the page shows no help', async ({ page }) => {
  await page.clock.install();
  await page.goto('/success-basic');
  await leadLaunchNowhere(page);
  await page.getByRole('link', { name: 'Launch' }).click();
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await page.clock.runFor(3000);

  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

/** Stops links to the app. A headless browser ignores clicks while it looks for an app that opens the scheme. */
async function leadLaunchNowhere(page: Page) {
  await page.evaluate(() =>
    document.addEventListener(
      'click',
      (event) => (event.target as Element).closest('[href^="roblox:"]') && event.preventDefault(),
    ),
  );
}

for (const state of ['paid', 'refunded'])
  for (const lang of ['en', 'vi'])
    test(`an order that is told late to be ${state} moves nothing: ${lang}`, async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 740 });
      let tell: () => void = () => undefined;
      const isTold = new Promise<void>((resolve) => (tell = resolve));
      await page.route('**/api/order-status?*', async (route) => {
        await isTold;
        const now = Date.now();
        const told = { plan: 'premium', showsName: false, wantsReminder: false, now };
        await route.fulfill({
          json: { ...told, state, activeUntil: state === 'paid' ? now + 365 * 86_400_000 : null },
        });
      });
      await recordShifts(page);
      await page.goto(`/success-premium?ref=order-looked-at-0001&lang=${lang}`);
      const heading = page.getByRole('heading', { level: 1 });
      await expect(heading).toContainText('…');
      tell();
      await expect(heading).not.toContainText('…');
      await expectStill(page);
    });
