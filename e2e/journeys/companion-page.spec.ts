import { expect, test } from '../fixtures/site.ts';
import { inBothWindows } from '../fixtures/windows.ts';

test('the page says what the app gives, what it costs and what covers it', async ({ page }) => {
  await page.goto('/rosaverx');
  const intro = page.locator('main header').first();
  const plans = page.getByRole('region', { name: 'Skip the key system with a plan' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'companion');

  await inBothWindows(page, async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'RosaverX' })).toBeInViewport();
    await expect(page.getByText('Up to 40% back on marketplace purchases.')).toBeInViewport();
    for (const fact of ['Free', 'Android', '150k+ downloads'])
      await expect(intro.getByText(fact, { exact: true }).first()).toBeInViewport();

    await expect(page.getByRole('heading', { name: 'Already got an executor subscription?' })).toBeVisible();
    await expect(page.getByText('It covers RosaverX too.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'All user data stays on the device' })).toBeVisible();
    const card = page.getByRole('region', { name: 'Get RosaverX' });
    await expect(card.getByRole('term')).toHaveText(['Developed by', 'OS', 'Price', 'Version', 'Size', 'Downloads']);
    await expect(card.getByRole('definition')).toHaveText([
      'Arceus Team',
      'Android',
      'Free',
      'v1.0.4',
      'about 2MB',
      '150k+',
    ]);
    for (const { name, texts } of [
      { name: 'Basic', texts: ['0,99 € for 7 days', 'Ad-free', '24/7 support'] },
      { name: 'Plus', texts: ['2,99 € for 30 days', '24/7 support'] },
      { name: 'Premium', texts: ['14,99 € for 365 days', '24/7 support', 'Beta tester role', 'Early access'] },
    ]) {
      const plan = plans.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
      for (const text of texts) await expect(plan).toContainText(text);
    }
  });
});

test('on a phone the two actions stick to the bottom edge, on a desk they stand under the words', async ({ page }) => {
  await page.goto('/rosaverx');
  const stuck = page.getByRole('link', { name: 'Free key', exact: true });

  await inBothWindows(page, async (name) => {
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    if (name === 'phone') {
      for (const top of [0, 500]) {
        await page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top);
        await expect(stuck).toBeInViewport();
        expect((await stuck.boundingBox())?.y).toBeGreaterThan(640);
      }
    } else {
      await expect(stuck).toBeHidden();
      await expect(page.getByRole('link', { name: 'Get a free key' }).first()).toBeInViewport();
      const words = await page.getByText('Up to 40% back on marketplace purchases.').boundingBox();
      const device = await page.getByRole('img', { name: 'RosaverX open over a game' }).boundingBox();
      expect(device?.x).toBeGreaterThan((words?.x ?? 0) + (words?.width ?? 0));
    }
  });
});

test('on a phone the actions at the edge hide beside an action of the page', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/rosaverx');
  const bar = page.locator('[data-sticky-action]');
  const stuck = bar.getByRole('link', { name: 'Free key', exact: true });
  await expect(stuck).toBeInViewport();

  for (const link of [
    page.getByRole('link', { name: 'Open the app' }),
    page.getByRole('region', { name: 'Get RosaverX' }).getByRole('link', { name: 'Download' }),
  ]) {
    await link.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await expect(bar).toHaveCSS('opacity', '0');
  }

  // By the keyboard they are reached all the same.
  await stuck.focus();
  await expect(bar).toHaveCSS('opacity', '1');
  await expect(stuck).toBeInViewport();
});

test('the download link starts the download of the server’s file', async ({ page }) => {
  await page.goto('/rosaverx');
  const downloading = page.waitForEvent('download');
  await page.getByRole('region', { name: 'Get RosaverX' }).getByRole('link', { name: 'Download' }).click();

  expect((await downloading).suggestedFilename()).toContain('companion-android');
});
