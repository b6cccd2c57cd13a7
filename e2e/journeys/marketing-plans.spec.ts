import type { Page } from '@playwright/test';
import { openHeld } from '../fixtures/held-page.ts';
import { expect, test } from '../fixtures/site.ts';
import { MATRIX } from '../fixtures/tags.ts';
import { inBothWindows } from '../fixtures/windows.ts';

/** Replaces the address of the app, because a browser in a test cannot open its scheme. */
// One worker plays them all, because each worker would start this server anew.
test.describe.configure({ mode: 'default' });

test.use({ settings: { LAUNCH_URL: 'https://launch.example/app' } });

const PLANS = [
  { plan: 'Basic', mode: '1', texts: ['0,99 €', '0,14 € a day', 'for 7 days', '42 key steps skipped', '1 h saved'] },
  { plan: 'Plus', mode: '2', texts: ['2,99 €', '0,10 € a day', 'for 30 days', '180 key steps skipped', '4 h saved'] },
  {
    plan: 'Premium',
    mode: '3',
    texts: ['14,99 €', '0,04 € a day', 'for 365 days', '2,190 key steps skipped', 'Beta tester role', 'Early access'],
  },
];

test('the three plans have the prices, days and benefits of the product', async ({ page }) => {
  await page.goto('/plans');

  await inBothWindows(page, async () => {
    const start = page.getByRole('region', { name: 'Start in the app' });
    await expect(start.getByText('Tap “Get Plan” in the app. It opens this page')).toBeVisible();
    await expect(start.getByRole('listitem')).toHaveText([/Open the app$/, /Tap “Get Plan”$/, /Pick your plan here$/]);
    const every = page.getByRole('region', { name: 'In every plan' });
    await expect(every.getByRole('listitem')).toHaveText(['Ad-free', '24/7 support', 'RosaverX too']);
    for (const { plan, texts } of PLANS) {
      const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: plan, exact: true }) });
      for (const text of texts) await expect(card).toContainText(text);
      await expect(card.getByRole('link', { name: `Get ${plan}` })).toBeVisible();
    }
  });
});

for (const [width, height] of [
  [320, 640],
  [360, 740],
] as const)
  test(`at ${String(width)} x ${String(height)} the first price is on the first screen, with and without a device`, async ({
    page,
    device,
  }) => {
    await page.setViewportSize({ width, height });

    for (const query of ['', `?hwid=${device}&zone=zone-1`]) {
      await page.goto(`/plans${query}`);
      await expect(page.getByText('0,99 €')).toBeInViewport({ ratio: 1 });
    }
  });

for (const letters of [100, 200])
  test(
    `the device takes the same space before it is known and with any id: letters of ${String(letters)} %`,
    { tag: letters === 100 ? [] : MATRIX },
    async ({ page }) => {
      const device = page.getByText('For your device').locator('..');
      const heights = () =>
        inWidths(page, [320, 360, 844, 1440], async () => {
          await page.evaluate((percent) => {
            document.documentElement.style.fontSize = `${String(percent)}%`;
          }, letters);
          return (await device.boundingBox())?.height;
        });
      await openHeld(page, '/plans?hwid=seed-q&zone=z');
      const before = await heights();
      await page.unrouteAll({ behavior: 'ignoreErrors' });

      for (const hwid of ['seed-q', 'seed-q-seed-q', `${'W-'.repeat(63)}ID`]) {
        await page.goto(`/plans?hwid=${hwid}&zone=z`);
        await expect(device).toContainText(hwid.slice(0, 6));
        expect(await heights(), hwid).toEqual(before);
      }
    },
  );

test('with device and zone known, a plan says whose it will be and goes to its payment', async ({ page, device }) => {
  await page.route('**/api/create-payment?*', (route) => route.fulfill({ contentType: 'text/html', body: 'paying' }));

  for (const { plan, mode } of PLANS) {
    await page.goto(`/plans?hwid=${device}&zone=zone-1`);
    await expect(page.getByText('For your device').locator('..')).toContainText(device.slice(-4));
    const before = Date.now();
    await page.getByRole('link', { name: `Get ${plan}` }).click();
    await expect(page.getByText('paying')).toBeVisible();

    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toBe('/api/create-payment');
    expect([...searchParams.keys()]).toEqual(['hwid', 'mode', 'zone', 'date']);
    expect(Object.fromEntries(searchParams)).toMatchObject({ hwid: device, mode, zone: 'zone-1' });
    const date = searchParams.get('date') ?? '';
    expect(new Date(date).toISOString()).toBe(date);
    expect(Math.abs(Date.parse(date) - before)).toBeLessThan(10_000);
  }
});

test(
  'without device and zone one is asked to begin in the app: Cancel pays nothing, OK opens the app',
  { tag: MATRIX },
  async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.route('https://launch.example/app', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'the app' }),
    );

    for (const query of ['?hwid=device-1', '?zone=z', '?hwid=&zone=z', '']) {
      await page.goto(`/plans${query}`);
      await inBothWindows(page, async () => {
        await page.getByRole('link', { name: 'Get Plus' }).click();
        await expect(
          page.getByRole('alertdialog').getByText(/^Get this plan by clicking the 'Get Plan' button inside the app/),
        ).toBeVisible();
        await page.getByRole('button', { name: 'Cancel' }).click();
        await expect(page.getByRole('alertdialog')).toBeHidden();
        await expect(page.getByRole('link', { name: 'Get Plus' })).toBeFocused();
      });
    }
    expect(asked.filter((url) => url.includes('create-payment'))).toEqual([]);

    await page.getByRole('link', { name: 'Get Basic' }).click();
    await page.getByRole('button', { name: 'OK' }).click();
    await expect(page.getByText('the app')).toBeVisible();
  },
);

/** What is measured in windows of these widths. */
async function inWidths<Measure>(page: Page, widths: number[], measure: () => Promise<Measure>): Promise<Measure[]> {
  const measures = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 740 });
    measures.push(await measure());
  }
  return measures;
}
