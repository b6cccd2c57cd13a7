import { hydrated, ENTRY, openHeld } from '../fixtures/held-page.ts';
import { watchProblems } from '../fixtures/problems.ts';
import { expect, test } from '../fixtures/site.ts';

test('a page of each unit hydrates the nodes that the server sent, and says nothing', async ({ page }) => {
  const said = watchProblems(page);
  const stylesheets: string[] = [];
  page.on('request', (request) => {
    // The page before this one may still fetch some while the next one opens.
    const of = new URL(request.frame().url()).pathname;
    if (request.url().endsWith('.css')) stylesheets.push(`${of}: ${request.url()}`);
  });

  for (const path of ['/v5', '/key-system-1', '/rosaverx', '/developers']) {
    // Firefox tells a page that is left of what it breaks off.
    await page.goto('about:blank');
    said.length = 0;
    const fetched = () => stylesheets.filter((line) => line.startsWith(`${path}: `));
    const goOn = await openHeld(page, path);
    const heading = await page.locator('h1').elementHandle();
    const frame = await page.locator('[data-unit]').elementHandle();
    const before = await page.locator('#root').evaluate((root) => root.querySelectorAll('*').length);
    // The HTML of a page that was rendered in the browser would be short.
    expect(before, path).toBeGreaterThan(100);
    expect(fetched(), path).toEqual([]);
    goOn();
    await expect(hydrated(page)).toBeVisible();

    expect(await heading?.evaluate((node) => node.isConnected), path).toBe(true);
    expect(await frame?.evaluate((node) => node.isConnected), path).toBe(true);
    expect(
      fetched().filter((line) => /static\/css\/(shell|[a-z0-9-]+-page)\./.test(line)),
      path,
    ).toEqual([]);
    expect(said, path).toEqual([]);
  }
});

test('what was scrolled, typed and clicked before a page works stays', async ({ page }) => {
  let goOn = await openHeld(page, '/v5');
  await page.mouse.move(200, 300);
  await page.mouse.wheel(0, 900);
  await page.waitForFunction(() => scrollY > 500);
  const scrolled = await page.evaluate(() => scrollY);
  goOn();
  await expect(hydrated(page)).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);

  goOn = await openHeld(page, '/redeem');
  const field = page.getByRole('textbox').first();
  await field.fill('NOT-A-CODE');
  await field.press('ArrowLeft');
  goOn();
  await expect(hydrated(page)).toBeVisible();
  await expect(field).toBeFocused();
  await expect
    .poll(() => field.evaluate((input) => (input as HTMLInputElement).selectionStart))
    .toBe('NOT-A-COD'.length);
  // The next render does not overwrite it.
  await field.press('X');
  await expect(field).toHaveValue('NOT-A-CODXE');

  await openHeld(page, '/redeem');
  await field.fill('NOT-A-CODE');
  // The browser sends the form itself, and the server's page has it again.
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: 'Not quite yet' })).toBeVisible();
  await expect(field).toHaveValue('NOT-A-CODE');
  expect(new URL(page.url()).search).toBe('');
});

test('a link that is followed before hydration keeps the device', async ({ page, device }) => {
  const query = `hwid=${device}&zone=zone-1`;
  await openHeld(page, `/key-system-bypass?${query}`);
  await page.getByRole('link', { name: 'Back to Key System' }).click();

  await expect(page).toHaveURL(`/key-system-1?${query}`);
});

test('a page whose unit does not arrive stays, says so, and works after another try', async ({ page }) => {
  await page.route(ENTRY, (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto('/plans', { waitUntil: 'commit' });
  const notice = page.getByText('Part of this page didn’t load.');
  await expect(notice).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pick your plan');
  await page.getByText('Details', { exact: true }).click();
  await expect(page.getByText('Loading chunk marketing failed (error)')).toBeVisible();

  // Other pages say that they failed, and going back asks again.
  await page.getByRole('link', { name: 'Resellers' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page didn’t load');
  await expect(notice).toBeHidden();
  await page.unroute(ENTRY);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pick your plan');
  await expect(hydrated(page)).toBeVisible();
  await expect(notice).toBeHidden();
});

test('a page whose shell does not arrive can be read, and its links lead on', async ({ page }) => {
  await page.route(/\/releases\/shell\/.*\.js/, (route) => route.abort());
  await page.goto('/v5', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Introducing Arceus X V5' })).toBeVisible();
  // At once, and not only when the wait is long.
  await expect(page.getByText('Some parts of this page don’t work yet.')).toBeVisible();
  await page.getByRole('link', { name: 'Plans', exact: true }).first().click();
  await expect(page).toHaveURL(/\/plans/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pick your plan');
});
