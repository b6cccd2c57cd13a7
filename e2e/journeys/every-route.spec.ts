import { expect, test } from '../fixtures/site.ts';

/** The addresses that `every-page.spec.ts` does not look at, since their pages look like others. */
const ROUTES: [path: string, unit: string, heading: string][] = [
  ['/index', 'marketing', 'Introducing Arceus X V5'],
  ['/v5', 'marketing', 'Introducing Arceus X V5'],
  ['/neo#downloads', 'marketing', 'Arceus X NEO'],
  ['/tiahh', 'tools', 'Portfolio'],
  ['/key-system-2', 'key-system', 'Key system, step 2'],
  ['/key-system-3', 'key-system', 'Key system, step 3'],
  ['/key-system-4', 'key-system', 'Key system, step 4'],
  ['/key-system-5', 'key-system', 'Key system, step 5'],
  ['/key-system-6', 'key-system', 'Key system, step 6'],
  ['/key-system-bypass', 'key-system', 'Bypass detected!'],
  ['/rosaverx/key-system-2', 'key-system', 'Key system, step 2'],
  ['/rosaverx/key-system-3', 'key-system', 'Key system, step 3'],
  ['/rosaverx/key-system-bypass', 'key-system', 'Bypass detected!'],
];

test('every other address is answered by its unit, under its heading', async ({ page }) => {
  for (const [path, unit, heading] of ROUTES) {
    const response = await page.goto(path);

    expect(response?.status(), path).toBe(200);
    await expect(page.locator(`[data-unit="${unit}"]`).getByRole('heading', { level: 1, name: heading, exact: true }), path).toBeVisible();
  }
});

test('a page that nobody knows leads to /index', async ({ page }) => {
  await page.goto('/no-such-page?x=1');
  await expect(page).toHaveURL(/\/index$/);
});

test('a page that nobody knows leads to /index without a page load too', async ({ page }) => {
  await page.goto('/plans');
  await page.evaluate(() => {
    history.pushState(null, '', '/no-such-page');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect(page).toHaveURL(/\/index$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Introducing Arceus X V5' })).toBeVisible();
});

test('what is no page and no file is a 404, never a page', async ({ request }) => {
  for (const path of ['/no-such-file.js', '/favicon.png', '/api/no-such-call', '/releases/shell/0.0.0/x.js', '/api']) {
    const response = await request.get(path, { maxRedirects: 0 });

    expect(response.status(), path).toBe(404);
    expect(response.headers()['content-type'], path).toContain('application/problem+json');
  }
});
