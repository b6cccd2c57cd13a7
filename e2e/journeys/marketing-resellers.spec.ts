import { expect, test } from '../fixtures/site.ts';
import { inBothWindows } from '../fixtures/windows.ts';

const SHOP = {
  name: 'Blue Store',
  logo: 'mark-9',
  description: 'Plans by mail.',
  discord: 'https://chat.blue.example/invite',
  buyLink: 'https://blue.example/buy',
  isArceusX: true,
  trusted: 1234,
};

test('the grid shows the shops of the server, each with its links', async ({ page }) => {
  await page.route('**/api/resellers', (route) =>
    route.fulfill({
      json: [
        SHOP,
        { ...SHOP, name: 'Red Store', isArceusX: false, trusted: undefined, logo: 'mark-2' },
        { ...SHOP, name: 'Grey Store', trusted: null },
        { name: 'Broken' },
      ],
    }),
  );
  await page.goto('/resellers');
  const blue = page.getByRole('listitem').filter({ hasText: 'Blue Store' });
  const red = page.getByRole('listitem').filter({ hasText: 'Red Store' });

  await inBothWindows(page, async (name) => {
    await expect(page.getByRole('heading', { level: 1, name: 'Official approved resellers' })).toBeVisible();
    await expect(blue.locator('svg[data-mark]')).toHaveText('BS');
    await expect(red.locator('svg[data-mark=mark-2]')).toBeVisible();
    await expect(blue.getByText('Official Store', { exact: true })).toBeVisible();
    await expect(blue.getByText('Plans by mail.', { exact: true })).toBeVisible();
    await expect(blue.getByText('Trusted by 1,234+ users')).toBeVisible();
    await expect(blue.getByRole('link', { name: /^DISCORD/ })).toHaveAttribute('href', SHOP.discord);
    await expect(blue.getByRole('link', { name: /^START NOW/ })).toHaveAttribute('href', SHOP.buyLink);
    await expect(red.getByText('Verified Partner', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Grey Store' })).toBeVisible();
    await expect(page.getByText(/Trusted by/)).toHaveCount(1);

    // The official store has a line of its own.
    const [first, second] = [await blue.boundingBox(), await red.boundingBox()];
    expect(second?.y).toBeGreaterThan(first?.y ?? Infinity);
    expect((await blue.getByRole('link').first().boundingBox())?.x ?? 0).toBeGreaterThan(name === 'wide' ? 800 : 0);
  });
  await expect(page.getByText('Broken')).toHaveCount(0);
});

test('when the answer fails, the samples stand in and the failure is logged', async ({ page }) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.route('**/api/resellers', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await page.goto('/resellers');

  await expect(page.getByRole('heading', { name: 'Sample Official Store' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^START NOW/ })).toHaveCount(4);
  expect(logged.filter((text) => text.startsWith('Failed to fetch resellers'))).toHaveLength(1);
});

test('the light around the trailer runs through its six colours, one a second', async ({ page }) => {
  await page.goto('/resellers');
  const lights = await page.locator('figure > div > span[aria-hidden] > span').evaluateAll((all) =>
    all.map((light) => ({
      colour: /rgb\([^)]*\)/.exec(getComputedStyle(light).boxShadow)?.[0],
      changes: light
        .getAnimations()
        .map(({ effect }) => [
          effect?.getTiming().duration,
          effect?.getTiming().delay,
          (effect as KeyframeEffect).getKeyframes().every((frame) => 'opacity' in frame),
        ]),
    })),
  );

  // From red over pink to blue.
  expect(lights.map(({ colour }) => colour)).toEqual([
    'rgb(255, 77, 94)',
    'rgb(255, 95, 147)',
    'rgb(255, 122, 200)',
    'rgb(181, 123, 255)',
    'rgb(122, 140, 255)',
    'rgb(74, 157, 255)',
  ]);
  expect(lights.map(({ changes }) => changes)).toEqual([-6, -5, -4, -3, -2, -1].map((s) => [[6000, s * 1000, true]]));
});
