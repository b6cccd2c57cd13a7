import { expect, test } from '../fixtures/site.ts';

/** Every address of the product, the unit that answers it and the heading that a visitor reads. */
const ROUTES: [path: string, unit: string, heading: string][] = [
  ['/', 'marketing', 'Introducing Arceus X V5'],
  ['/index', 'marketing', 'Introducing Arceus X V5'],
  ['/v5', 'marketing', 'Introducing Arceus X V5'],
  ['/neo', 'marketing', 'Arceus X NEO'],
  ['/neo#downloads', 'marketing', 'Arceus X NEO'],
  ['/arceusxv3', 'marketing', 'Arceus X V3'],
  ['/plans', 'marketing', 'Upgrade your plan'],
  ['/resellers', 'marketing', 'Official approved resellers'],
  ['/successV5', 'marketing', 'Congratulations! Payment Successfull!'],
  ['/errorV5', 'marketing', 'An error occurred during the payment! Please try again.'],
  ['/success-basic', 'marketing', 'Basic activated'],
  ['/success-plus', 'marketing', 'Plus activated'],
  ['/success-premium', 'marketing', 'Premium activated'],
  ['/payment-failed', 'marketing', 'An error occurred during the payment!'],
  ['/rosaverx', 'companion', 'RosaverX'],
  ['/resetsuccessV5', 'tools', 'Reset succeeded! Your devices have been reset'],
  ['/privacy-policy', 'tools', 'Privacy & Policy'],
  ['/encrypter', 'tools', 'Script encrypter'],
  ['/portfolio', 'tools', 'Portfolio'],
  ['/tiahh', 'tools', 'Portfolio'],
  ['/gate', 'key-system', 'Get your key'],
  ['/check-key', 'key-system', 'Check a key'],
  ['/key-system-1', 'key-system', 'Key system, step 1'],
  ['/key-system-2', 'key-system', 'Key system, step 2'],
  ['/key-system-3', 'key-system', 'Key system, step 3'],
  ['/key-system-4', 'key-system', 'Key system, step 4'],
  ['/key-system-5', 'key-system', 'Key system, step 5'],
  ['/key-system-6', 'key-system', 'Key system, step 6'],
  ['/key-system-getkey', 'key-system', 'Key system'],
  ['/key-system-bypass', 'key-system', 'Bypass detected!'],
  ['/rosaverx/key-system-1', 'key-system', 'Key system, step 1'],
  ['/rosaverx/key-system-2', 'key-system', 'Key system, step 2'],
  ['/rosaverx/key-system-3', 'key-system', 'Key system, step 3'],
  ['/rosaverx/key-system-getkey', 'key-system', 'Key system'],
  ['/rosaverx/key-system-bypass', 'key-system', 'Bypass detected!'],
];

for (const [path, unit, heading] of ROUTES) {
  test(`${path} is answered by ${unit}`, async ({ page }) => {
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });

    const response = await page.goto(path);

    expect(response?.status()).toBe(200);
    await expect(page.locator(`[data-unit="${unit}"]`).getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    expect(problems).toEqual([]);
  });
}

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

for (const path of ['/no-such-file.js', '/favicon.png', '/api/no-such-call', '/releases/shell/0.0.0/x.js', '/api']) {
  test(`${path} is a 404 and no page`, async ({ request }) => {
    const response = await request.get(path, { maxRedirects: 0 });

    expect(response.status()).toBe(404);
    expect(response.headers()['content-type']).toContain('application/problem+json');
  });
}
