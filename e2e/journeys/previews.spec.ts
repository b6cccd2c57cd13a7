import { expect, test } from '../fixtures/site.ts';

// Where no access key is set, each browser of a development site may pin.
test.use({ settings: { QA_ACCESS_KEY: 'a key that nobody here has, 7Vb2Tn6Yw4Rc5Pf0Hg' } });

const TOOLS = '9.1.0-preview.0a1b2c3d4e5f';
const MARKETING = '9.2.0-preview.ffffffffffff';

test('a preview’s link shows the build in a second browser, beside that of another unit, and leads out', async ({
  page,
  browser,
  site,
}) => {
  const link = await site.preview('tools', TOOLS);
  const tools = '[data-unit="tools"]';
  await page.goto('/encrypter');
  const stable = (await page.locator(tools).getAttribute('data-version')) ?? '';
  expect(stable).not.toBe(TOOLS);

  const friend = await browser.newPage({ baseURL: site.url });
  await friend.goto(link);
  await expect(friend.locator(tools)).toHaveAttribute('data-version', TOOLS);
  const badge = friend.getByRole('complementary', { name: 'Preview' });
  await expect(badge).toContainText(`Preview of tools ${TOOLS}`);
  await expect(badge).toContainText(/until \d+ \w+, \d\d:\d\d/);
  expect(friend.url()).not.toContain('qa=');
  await page.reload();
  await expect(page.locator(tools)).toHaveAttribute('data-version', stable);
  await expect(page.getByRole('complementary', { name: 'Preview' })).toBeHidden();

  await friend.goto(await site.preview('marketing', MARKETING));
  await expect(badge).toContainText('and 1 more');
  await friend.goto('/plans');
  await expect(friend.locator('[data-unit="marketing"]')).toHaveAttribute('data-version', MARKETING);
  await friend.goto('/encrypter');
  await expect(friend.locator(tools)).toHaveAttribute('data-version', TOOLS);

  await badge.getByRole('button', { name: 'Leave' }).click();
  await expect(friend.locator(tools)).toHaveAttribute('data-version', stable);
  await expect(badge).toBeHidden();
  await friend.close();
});
