import type { Page, Route } from '@playwright/test';
import { openWith, PURCHASES, untilFirstToast } from '../fixtures/purchases.ts';
import { expectStill, recordShifts, readFirstView } from '../fixtures/first-view.ts';
import { settled } from '../fixtures/settled.ts';
import { expect, test } from '../fixtures/site.ts';

const VIETNAMESE = { locale: 'vi-VN' };

test.describe('a browser that prefers Vietnamese', () => {
  test.use(VIETNAMESE);

  test('gets pages in Vietnamese, which stay so while React takes them over and on the way to another unit', async ({
    page,
  }) => {
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await recordShifts(page);
    await page.goto('/plans');

    await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chọn gói của bạn');
    await settled(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chọn gói của bạn');
    expect((await readFirstView(page)).fonts).toBeLessThanOrEqual(60_000);
    await expectStill(page);

    await page.getByRole('contentinfo').getByRole('link', { name: 'Kiểm tra key' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kiểm tra key');
    expect(errors).toEqual([]);
  });

  test('changes to English by the footer, with its device, and a run stays in it', async ({ page, device }) => {
    const query = `hwid=${device}&zone=zone-1`;
    await page.goto(`/key-system-1?${query}`);
    await page.getByRole('contentinfo').getByRole('link', { name: 'English' }).click();

    await expect(page).toHaveURL(`/key-system-1?${query}&lang=en`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'English' })).toHaveAttribute(
      'aria-current',
      'true',
    );
    await page.goto(`/key-system-2?${query}`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  });
});

test('a change of the language keeps the choice on a step, why a run was refused, and the token of a mail', async ({
  page,
  site,
  device,
}) => {
  const query = `hwid=${device}&zone=zone-1`;
  for (const address of [
    `/key-system-1?${query}&advertiser=lootlabs`,
    `/key-system-bypass?${query}&r=KS_PROOF`,
    '/errors#KS_FAST',
  ]) {
    await page.goto(address);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Tiếng Việt' }).click();
    const { search, hash } = new URL(address, site.url);
    await expect(page).toHaveURL((url) => url.hash === hash && url.search === `${search}${search ? '&' : '?'}lang=vi`);
    await page.getByRole('contentinfo').getByRole('link', { name: 'English' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  }

  const token = 'A'.repeat(43);
  const asked: unknown[] = [];
  await page.route('**/api/reset-details', (route) => {
    asked.push(route.request().postDataJSON());
    return route.fulfill({ status: 404, json: {} });
  });
  await page.goto(`/reset-devices#t=${token}`);
  await expect(page).toHaveURL('/reset-devices');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Tiếng Việt' }).click();
  await expect(page).toHaveURL('/reset-devices?lang=vi');
  await expect.poll(() => asked).toEqual([{ token }, { token }]);
});

test('an English page has nothing of the other language, and a link to it works without JavaScript', async ({
  browser,
  site,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const files: string[] = [];
  page.on('request', (request) => files.push(request.url()));
  await page.goto(`${site.url}/v5`);
  expect(files.filter((file) => /translations|-vi\//.test(file))).toEqual([]);

  await page.getByRole('contentinfo').getByRole('link', { name: 'Tiếng Việt' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
  await page.goto(`${site.url}/plans`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chọn gói của bạn');
  await context.close();
});

for (const [what, end] of [
  ['do not come', (route: Route) => route.abort()],
  ['never answer', () => Promise.resolve()],
] as const)
  test(`where the texts of a unit ${what}, it is in English within seconds, and works`, async ({ browser, site }) => {
    for (const [unit, words] of [
      ['marketing', 'Pick your plan'],
      ['shell', 'Made by players, for players.'],
    ] as const) {
      const context = await browser.newContext(VIETNAMESE);
      const page = await context.newPage();
      await page.route(new RegExp(`/${unit}/.*/translations/vi\\.\\w+\\.js`), end);
      await page.goto(`${site.url}/plans`, { waitUntil: 'commit' });

      await expect(page.getByText(words, { exact: true }), unit).toBeVisible();
      await expect(page.locator('[data-unit="marketing"]'), unit).toHaveAttribute('data-source', 'stable');
      await context.close();
    }
  });

test('on an English page each word that its fonts lack letters of is drawn from one font, and no further font loads', async ({
  page,
}) => {
  const shop = { logo: 'mark-2', discord: 'https://discord.gg/x', buyLink: 'https://shop.example/', isArceusX: false };
  const resellers = [
    { ...shop, name: 'Cửa hàng Hà Nội', description: 'Sẵn sàng cả ngày.' },
    { ...shop, name: 'Łódź and İzmir', description: 'All day.' },
    { ...shop, name: 'Plain shop', description: 'At night.' },
  ];
  await page.route('**/api/resellers', (route) => route.fulfill({ json: resellers }));
  await page.goto('/resellers');
  await expect(page.getByRole('heading', { level: 3, name: 'Plain shop' })).toBeVisible();
  await settled(page);

  for (const words of ['Tiếng Việt', 'Cửa hàng Hà Nội', 'Sẵn sàng cả ngày.', 'Łódź and İzmir'])
    expect(await fontsOf(page, words), words).toHaveLength(1);
  expect(await fontsOf(page, 'At night.')).toEqual([expect.stringContaining('Figtree')]);
  const { fonts } = await readFirstView(page);
  expect(fonts).toBeLessThanOrEqual(60_000);

  await openWith(page, '/v5', [{ ...PURCHASES[0], name: 'Gülşen' }]);
  await untilFirstToast(page);
  expect(await fontsOf(page, 'Gülşen got a plan')).toHaveLength(1);
});

/** The fonts in which the browser has drawn a text. */
async function fontsOf(page: Page, words: string): Promise<string[]> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('DOM.enable');
  await browser.send('CSS.enable');
  await browser.send('DOM.getDocument');
  const { searchId, resultCount } = await browser.send('DOM.performSearch', {
    query: `//body//*[text()[normalize-space()="${words}"]]`,
  });
  const { nodeIds } = await browser.send('DOM.getSearchResults', { searchId, fromIndex: 0, toIndex: resultCount });
  const drawn = await Promise.all(nodeIds.map((nodeId) => browser.send('CSS.getPlatformFontsForNode', { nodeId })));
  await browser.detach();

  return [...new Set(drawn.flatMap(({ fonts }) => fonts.map(({ familyName }) => familyName)))];
}
