import { expect, test } from '../fixtures/site.ts';

/** Stands in for the game platform's own scheme, which no browser of a test can follow. */
test.use({ settings: { LAUNCH_URL: 'https://launch.example/app' } });

const ASK = /^Get this plan by clicking the 'Get Plan' button inside the app/;

test('the three plans have the prices and days of the product', async ({ page }) => {
  await page.goto('/plans');
  for (const { plan, price, days } of [
    { plan: 'Basic', price: '0,99 €', days: 'for 7 days' },
    { plan: 'Plus', price: '2,99 €', days: 'for 30 days' },
    { plan: 'Premium', price: '14,99 €', days: 'for 365 days' },
  ]) {
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: plan, exact: true }) });
    await expect(card).toContainText(price);
    await expect(card).toContainText(days);
  }
});

for (const { plan, mode } of [
  { plan: 'Basic', mode: '1' },
  { plan: 'Plus', mode: '2' },
  { plan: 'Premium', mode: '3' },
]) {
  test(`with device and zone known, ${plan} goes to its payment`, async ({ page, device }) => {
    await page.route('**/api/create-payment?*', (route) => route.fulfill({ contentType: 'text/html', body: 'paying' }));
    await page.goto(`/plans?hwid=${device}&zone=zone-1`);
    const before = Date.now();
    await page.getByRole('button', { name: `Get ${plan}` }).click();
    await expect(page.getByText('paying')).toBeVisible();

    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toBe('/api/create-payment');
    expect([...searchParams.keys()]).toEqual(['hwid', 'mode', 'zone', 'date']);
    expect(Object.fromEntries(searchParams)).toMatchObject({ hwid: device, mode, zone: 'zone-1' });
    const date = searchParams.get('date') ?? '';
    expect(new Date(date).toISOString()).toBe(date);
    expect(Math.abs(Date.parse(date) - before)).toBeLessThan(10_000);
  });
}

for (const query of ['', '?hwid=device-1', '?zone=z', '?hwid=&zone=z']) {
  test(`with "${query}" one is asked to begin in the app, and nothing is paid`, async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`/plans${query}`);
    await page.getByRole('button', { name: 'Get Plus' }).click();

    await expect(page.getByRole('alertdialog').getByText(ASK)).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Get Plus' })).toBeFocused();
    expect(asked.filter((url) => url.includes('create-payment'))).toEqual([]);
  });
}

test('OK opens the app', async ({ page }) => {
  await page.route('https://launch.example/app', (route) => route.fulfill({ contentType: 'text/html', body: 'the app' }));
  await page.goto('/plans');
  await page.getByRole('button', { name: 'Get Basic' }).click();
  await page.getByRole('button', { name: 'OK' }).click();

  await expect(page.getByText('the app')).toBeVisible();
});

test('a failed payment can be tried again for the same device', async ({ page, device }) => {
  await page.goto(`/payment-failed?hwid=${device}&zone=z`);
  await page.getByRole('link', { name: 'Retry' }).click();

  await expect(page).toHaveURL(new RegExp(`/plans\\?hwid=${device}&zone=z$`));
});

test('a failed payment of V5 is tried again at the resellers', async ({ page }) => {
  await page.goto('/errorV5');
  await page.getByRole('link', { name: 'Retry Payment' }).click();

  await expect(page).toHaveURL(/\/resellers$/);
});

for (const plan of ['Basic', 'Plus', 'Premium']) {
  test(`who has ${plan} now can launch the app`, async ({ page }) => {
    await page.goto(`/success-${plan.toLowerCase()}`);

    await expect(page.getByRole('link', { name: 'Launch' })).toHaveAttribute('href', /^[a-z][a-z0-9+.-]*:/);
  });
}
