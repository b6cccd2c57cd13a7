import { expect, test } from '../fixtures/site.ts';
import { MATRIX } from '../fixtures/tags.ts';

/** The addresses that `every-page.spec.ts` does not check, because their pages look like others. */
const ROUTES: [path: string, unit: string, heading: string][] = [
  ['/index', 'marketing', 'Introducing Arceus X V5'],
  ['/v5', 'marketing', 'Introducing Arceus X V5'],
  ['/neo#downloads', 'marketing', 'Arceus X NEO'],
  ['/tiahh', 'tools', 'Portfolio'],
  ['/key-system-2', 'key-system', 'Start in the app'],
  ['/key-system-3', 'key-system', 'Start in the app'],
  ['/key-system-4', 'key-system', 'Start in the app'],
  ['/key-system-5', 'key-system', 'Start in the app'],
  ['/key-system-6', 'key-system', 'Start in the app'],
  ['/key-system-bypass', 'key-system', 'Bypass detected!'],
  ['/rosaverx/key-system-2', 'key-system', 'Start in the app'],
  ['/rosaverx/key-system-3', 'key-system', 'Start in the app'],
  ['/rosaverx/key-system-bypass', 'key-system', 'Bypass detected!'],
];

test('every other address is answered by its unit, with its heading and the navbar', async ({ page }) => {
  for (const [path, unit, heading] of ROUTES) {
    const response = await page.goto(path);

    expect(response?.status(), path).toBe(200);
    await expect(
      page.locator(`[data-unit="${unit}"]`).getByRole('heading', { level: 1, name: heading, exact: true }),
      path,
    ).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' }), path).toBeVisible();
  }
});

test('every page of every unit has one address: spare slashes lead there, with the query', async ({
  page,
  request,
}) => {
  await page.goto('/index');
  const resolution = JSON.parse(await page.locator('#resolution').innerText()) as {
    units: Record<string, { routes: string[] }>;
  };
  const paths = Object.values(resolution.units).flatMap(({ routes }) => routes);
  expect(paths.length).toBeGreaterThanOrEqual(35);

  for (const path of paths.filter((each) => each !== '/')) {
    for (const asked of [`${path}/`, `${path}//`, `/${path}/`]) {
      const response = await request.get(new URL(page.url()).origin + asked + '?hwid=device-1&x=//y/', {
        maxRedirects: 0,
      });

      expect(response.status(), asked).toBe(308);
      expect(response.headers()['location'], asked).toBe(`${path}?hwid=device-1&x=//y/`);
    }
  }
});

test('an unknown page leads to /index', async ({ page }) => {
  await page.goto('/no-such-page?x=1');
  await expect(page).toHaveURL(/\/index$/);
  await expect(page.getByText('That page isn’t here. This is the home page.')).toBeVisible();
});

test('an unknown page leads to /index without a page load too', async ({ page }) => {
  await page.goto('/plans');
  await page.evaluate(() => {
    history.pushState(null, '', '/no-such-page');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect(page).toHaveURL(/\/index$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Introducing Arceus X V5' })).toBeVisible();
});

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
