import { recordShifts, readFirstView } from '../fixtures/first-view.ts';
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
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nâng cấp gói của bạn');
    await settled(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nâng cấp gói của bạn');
    const { fonts, shifts } = await readFirstView(page);
    expect(fonts).toBeLessThanOrEqual(60_000);
    expect(shifts.reduce((sum, { value }) => sum + value, 0)).toBeLessThan(0.01);

    await page.getByRole('contentinfo').getByRole('link', { name: 'Kiểm tra key' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kiểm tra key');
    expect(errors).toEqual([]);
  });

  test('changes to English by the footer, with its device, and a run stays in it', async ({ page, device }) => {
    const query = `hwid=${device}&zone=zone-1`;
    await page.goto(`/key-system-1?${query}`);
    await page.getByRole('link', { name: 'English' }).click();

    await expect(page).toHaveURL(`/key-system-1?${query}&lang=en`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('link', { name: 'English' })).toHaveAttribute('aria-current', 'true');
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
    await page.getByRole('link', { name: 'Tiếng Việt' }).click();
    const { search, hash } = new URL(address, site.url);
    await expect(page).toHaveURL((url) => url.hash === hash && url.search === `${search}${search ? '&' : '?'}lang=vi`);
    await page.getByRole('link', { name: 'English' }).click();
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
  await page.getByRole('link', { name: 'Tiếng Việt' }).click();
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

  await page.getByRole('link', { name: 'Tiếng Việt' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
  await page.goto(`${site.url}/plans`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nâng cấp gói của bạn');
  await context.close();
});

test('where the texts of a unit do not come, its page is in English and works', async ({ browser, site }) => {
  const context = await browser.newContext(VIETNAMESE);
  const page = await context.newPage();
  await page.route(/\/marketing\/.*\/translations\//, (route) => route.abort());
  await page.goto(`${site.url}/plans`);

  await expect(page.locator('[data-unit="marketing"]')).toHaveAttribute('data-source', 'stable');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Upgrade your plan');
  await context.close();
});
