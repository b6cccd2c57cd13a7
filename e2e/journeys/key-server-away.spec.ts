import type { Page } from '@playwright/test';
import { violations } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/site.ts';
import { MATRIX } from '../fixtures/tags.ts';

const AWAY = 'We could not reach our server. Check your connection and try again.';
const STEP_STARTS = /\/api\/keysystemv2\?/;

test('a click on Complete while the server is away stays on the page, and Retry goes on where it stood', async ({
  page,
  site,
  device,
}) => {
  const complete = await openFirstStep(page, device);
  const address = page.url();

  await site.withoutServer(async () => {
    await complete.click();
    await expectAway(page);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Retry' }).click();
    await expect(page.getByRole('link', { name: 'Retry' })).toBeVisible();
    expect(page.url()).toBe(address);
  });
  await page.getByRole('link', { name: 'Retry' }).click();

  await expect(page.getByRole('heading', { name: 'Linkvertise' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Step 2 of 6')).toBeVisible();
});

test('without a connection a click stays on the page too, and its button tries again by the keyboard', async ({
  page,
  context,
  device,
}) => {
  const complete = await openFirstStep(page, device);

  await context.setOffline(true);
  await complete.click();
  await expectAway(page);
  await expect(page.getByRole('link', { name: 'Retry' })).toBeFocused();
  await context.setOffline(false);
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Linkvertise' })).toBeVisible();
});

test('while the server takes its time the button says so at once, and two taps are one step start', async ({
  page,
  device,
}) => {
  const starts: string[] = [];
  page.on('request', (request) => STEP_STARTS.test(request.url()) && starts.push(request.url()));
  const answer = await hold(page, '**/healthz');
  const complete = await openFirstStep(page, device);

  await complete.dblclick();
  await expect(page.getByRole('link', { name: 'Opening…' })).toBeVisible();
  expect(starts).toEqual([]);
  answer();

  await expect(page.getByRole('heading', { name: 'Linkvertise' })).toBeVisible();
  expect(starts).toHaveLength(1);
});

test(
  'a server that never answers is asked twice, and is said to be out of reach after eighteen seconds',
  { tag: MATRIX },
  async ({ page, device }) => {
    await hold(page, '**/healthz');
    const complete = await openFirstStep(page, device);
    await page.clock.install();

    await complete.click();
    await page.clock.runFor(9000);
    await expect(page.getByRole('link', { name: 'Opening…' })).toBeVisible();
    await page.clock.runFor(9000);
    await expectAway(page);
  },
);

test('back from the advertiser the button can be clicked again', { tag: MATRIX }, async ({ page, device }) => {
  await (await openFirstStep(page, device)).click();
  await expect(page.getByRole('heading', { name: 'Linkvertise' })).toBeVisible();

  await page.goBack();
  await page.getByRole('link', { name: 'Complete' }).click();
  await expect(page.getByRole('heading', { name: 'Linkvertise' })).toBeVisible();
});

test('the gate stays when the connection goes as it leads on, and leads on by Retry', async ({
  page,
  context,
  device,
}) => {
  await page.route('**/api/v2/verify-captcha', async (route) => {
    const response = await route.fetch();
    await context.setOffline(true);
    await route.fulfill({ response });
  });
  await page.goto(`/gate?hwid=${device}&advertiser=rinku`);

  await expectAway(page);
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Rinku' })).toBeVisible();
});

test(
  'a plan is chosen while the server is away: the page stays and says so, and another click goes to the payment',
  { tag: MATRIX },
  async ({ page, site, device }) => {
    await page.route('**/api/create-payment?*', (route) => route.fulfill({ contentType: 'text/html', body: 'paying' }));
    await page.goto(`/plans?hwid=${device}&zone=zone-1`);
    const plan = page.getByRole('link', { name: 'Get Basic' });
    await expect(plan).toBeVisible();
    // The code that shows the notice is loaded after the first paint.
    await expect(page.getByRole('region', { name: /^Notices/ })).toBeAttached();

    await site.withoutServer(async () => {
      await plan.click();
      await expectAway(page);
    });
    await plan.click();
    await expect(page.getByText('paying')).toBeVisible();
  },
);

/** Opens step 1 of a new run, and waits until its captcha is solved. */
async function openFirstStep(page: Page, device: string) {
  await page.goto(`/key-system-1?hwid=${device}&zone=zone-1`);
  const complete = page.getByRole('link', { name: 'Complete' });
  await expect(complete).toHaveAttribute('href', /./);
  return complete;
}

async function expectAway(page: Page) {
  await expect(page.getByText(AWAY)).toBeInViewport({ ratio: 1 });
}

/**
 * Holds the requests for an address back.
 * @returns a function that lets them through
 */
async function hold(page: Page, address: string): Promise<() => void> {
  let answer = () => undefined as void;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  return () => answer();
}
