import { expectStill, recordShifts } from '../fixtures/first-view.ts';
import { readKey } from '../fixtures/read-key.ts';
import { expect, test } from '../fixtures/site.ts';
import { expectSound } from '../fixtures/sound.ts';

const WINDOWS = [
  { width: 1440, height: 900, letters: 100 },
  { width: 360, height: 740, letters: 100 },
  { width: 844, height: 390, letters: 100 },
  { width: 320, height: 640, letters: 200 },
];

const RUNS = /^Your Plus plan runs until \d+\s\w+(\s\d{4})? at\s\d\d:\d\d\.$/;

test('a player with a plan is led to the app, whatever page of a run was opened, and the app gets its key', async ({
  page,
  site,
}) => {
  const { path, query } = await site.seedPage('plan-active');
  await recordShifts(page);
  await page.goto(path);
  const launch = page.getByRole('link', { name: 'Launch' });
  await expect(page.getByText(RUNS)).toBeVisible();
  await expect(launch).toHaveAttribute('href', 'roblox://');
  await expectStill(page);
  await expectSound(page);
  for (const { width, height, letters } of WINDOWS) {
    await page.setViewportSize({ width, height });
    await page.evaluate((percent) => (document.documentElement.style.fontSize = `${String(percent)}%`), letters);
    await expect(launch).toBeInViewport({ ratio: 1 });
  }

  for (const [call, app] of [
    ['/api/keysystemv2', ''],
    ['/api/saverobux/keysystem', '/rosaverx'],
  ] as const) {
    await page.goto(call + query);
    await expect(page).toHaveURL(`${site.url}${app}/key-system-getkey${query}`);
    await expect(page.getByText(RUNS)).toBeVisible();
  }
  await page.goto(`/gate${query}`);
  await expect(page.getByText(RUNS)).toBeVisible();

  const { key } = await readKey(page.request, `${query.slice(1)}&app=main`);
  await page.goto(`/check-key${query}`);
  await expect(page.getByText(RUNS)).toBeVisible();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Check' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('This key works');
  await expect(result).toContainText('your plan');
  await expectSound(page);
});
