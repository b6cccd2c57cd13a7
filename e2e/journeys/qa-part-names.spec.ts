import { expect, test } from '../fixtures/site.ts';

test('QA sees by name and channel what each part of the page is from, and nothing moves', async ({ page }) => {
  await page.goto('/encrypter');
  const boxes = () =>
    page.evaluate(() =>
      ['#root', 'header', 'main', 'main h1', '[data-unit="tools"]', 'footer'].map((selector) =>
        JSON.stringify(document.querySelector(selector)?.getBoundingClientRect()),
      ),
    );
  const height = () =>
    page.evaluate(() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth]);
  const before = [await boxes(), await height()];
  const versionOf = (unit: string) => page.locator(`[data-unit="${unit}"]`).first().getAttribute('data-version');

  await page.keyboard.press('Alt+KeyQ');
  await page.getByRole('button', { name: 'Name the parts' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Hide the names' })).toBeFocused();
  await page.keyboard.press('Escape');

  const parts = page.getByRole('list', { name: 'Parts of this page' }).getByRole('listitem');
  await expect(parts).toHaveText([/^shell@\S+ Stable$/, `tools@${String(await versionOf('tools'))} Stable`]);
  await expect(parts.first()).toBeInViewport();
  expect([await boxes(), await height()]).toEqual(before);

  // The names follow a visitor within the site, and lie on their parts.
  await page.getByRole('link', { name: 'Arceus X' }).first().click();
  await expect(parts).toHaveText([/^shell@/, `marketing@${String(await versionOf('marketing'))} Stable`]);
  const [named, part] = await Promise.all([
    parts.last().boundingBox(),
    page.locator('[data-unit="marketing"]').boundingBox(),
  ]);
  expect(named).toEqual(part);
});

test('in Vietnamese the names are Vietnamese, and no text of QA is among those that readers load', async ({
  browser,
  site,
}) => {
  const context = await browser.newContext({ baseURL: site.url, locale: 'vi-VN' });
  const page = await context.newPage();
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (/translations\/vi\.\w+\.js$/.test(response.url())) scripts.push(response.text());
  });

  await page.goto('/encrypter');
  // Until the page works, no key is heard.
  await page.locator('[data-unit][data-source]').waitFor();
  await page.keyboard.press('Alt+KeyQ');
  await page.getByRole('button', { name: 'Hiện tên từng phần' }).click();

  const parts = page.getByRole('list', { name: 'Các phần của trang này', includeHidden: true }).locator('li');
  await expect(parts.first()).toHaveText(/^shell@\S+ Bản ổn định$/);
  const loaded = await Promise.all(scripts);
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.filter((text) => text.includes('Bản ổn định'))).toEqual([]);
  await context.close();
});
