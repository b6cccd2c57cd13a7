import { expect, test } from '../fixtures/site.ts';
import { MATRIX } from '../fixtures/tags.ts';

const TITLES: [address: string, title: string][] = [
  ['/', 'Arceus Team'],
  ['/index', 'Arceus Team | Arceus X'],
  ['/v5', 'Arceus Team'],
  ['/v5?os=android', 'Arceus Team | Arceus X'],
  ['/arceusxv3', 'Arceus Team | Arceus X'],
  ['/rosaverx', 'Arceus Team | RosaverX'],
  ['/privacy-policy', 'Arceus Team | Privacy & Policy'],
  ['/plans', 'Arceus Team | Upgrade plan'],
  ['/plans#android', 'Arceus Team | Upgrade plan'],
  ['/developers', 'Arceus Team'],
  ['/errors', 'Arceus Team'],
];

test('the server’s title and colours are the ones that the page keeps', { tag: MATRIX }, async ({ page, request }) => {
  for (const [address, title] of TITLES) {
    const html = await (await request.get(address)).text();
    const served = /<html lang="en" data-theme="(\w+)" data-accent="(\w+)">/.exec(html);
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

    expect(html).toContain(`<title>${title.replaceAll('&', '&amp;')}</title>`);
    await expect(page).toHaveTitle(title);
    await expect(page.locator('html')).toHaveAttribute('data-theme', served?.[1] ?? '');
    await expect(page.locator('html')).toHaveAttribute('data-accent', served?.[2] ?? '');
  }
});

test('title and colours follow from page to page', async ({ page }) => {
  await page.goto('/plans');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'info');
  await page.getByRole('link', { name: 'Arceus X', exact: true }).click();

  await expect(page).toHaveTitle('Arceus Team | Arceus X');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('html')).toHaveAttribute('data-accent', 'blue');
});
