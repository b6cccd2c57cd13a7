import type { Page } from '@playwright/test';
import { MATRIX } from '../fixtures/tags.ts';
import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const WHO = 'hwid=device-waiting-1&zone=zone-1';

test(
  'while it waits for an advertiser a page asks every three seconds; after a minute it says so and asks every ten',
  { tag: MATRIX },
  async ({ page }) => {
    await page.clock.install();
    await tellRunState(page, { step: 3, waiting: true });
    const asked = countStates(page);
    await page.goto(`/key-system-3?${WHO}&advertiser=lootlabs&wait=1`);
    await expect(page.getByText('Waiting for the advertiser.')).toBeVisible();
    await holdClock(page);

    await expectEvery(page, asked, 3 * SECOND);
    await page.clock.runFor(45 * SECOND);
    await expect(page.getByText('Waiting for the advertiser.')).toBeVisible();
    await page.clock.runFor(15 * SECOND);

    await expect(page.getByText('Not confirmed yet.')).toBeVisible();
    await expect(page.getByText('Start the step over, or pick another advertiser.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /step=3/);
    await expectEvery(page, asked, 10 * SECOND);
  },
);

test('a visitor with another link reads beside the question that the run waits for an advertiser, and after a minute that it is late', async ({
  page,
}) => {
  await page.clock.install();
  await tellRunState(page, { step: 3, waiting: true, zone: 'other' });
  await page.goto(`/key-system-3?${WHO}`);

  await expect(page.getByText('You started this run with another app link')).toBeVisible();
  await expect(page.getByText('Waiting for the advertiser.')).toBeVisible();
  await page.clock.runFor(MINUTE);
  await expect(page.getByText('Not confirmed yet.')).toBeVisible();
});

test('a question that gets no answer takes nothing off a page that waits, and is asked again', async ({ page }) => {
  await page.clock.install();
  await tellRunState(page, { step: 3, waiting: true });
  await page.goto(`/key-system-3?${WHO}&advertiser=lootlabs&wait=1`);
  await expect(page.getByText('Waiting for the advertiser.')).toBeVisible();
  await page.route('**/api/keysystem/state?**', (route) => route.abort());

  for (let failures = 0; failures < 3; failures++) {
    const failed = page.waitForEvent('requestfailed', { timeout: 10 * SECOND });
    await page.clock.runFor(3 * SECOND);
    await failed;
  }
  await expect(page.getByText('Waiting for the advertiser.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /step=3/);
});

test('a page that is not waited on asks nothing by itself', async ({ page }) => {
  await page.clock.install();
  await tellRunState(page, { step: 3 });
  const asked = countStates(page);
  await page.goto(`/key-system-3?${WHO}`);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /step=3/);
  const before = asked();

  await page.clock.runFor(30 * SECOND);
  await expect(page.getByText('Step 3 of 6')).toBeVisible();
  expect(asked()).toBe(before);
});

test('a page that the back button brings back as it was left asks again, and goes where the run stands', async ({
  page,
}) => {
  const tell = await tellRunState(page, { step: 2 });
  await page.goto(`/key-system-2?${WHO}`);
  await expect(page.getByText('Step 2 of 6')).toBeVisible();

  tell({ step: 3 });
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect(page).toHaveURL(/\/key-system-3\?/);
  await expect(page.getByText('Step 3 of 6')).toBeVisible();
});

test('a tab that is looked at again asks again, and goes where the run stands', async ({ page }) => {
  const tell = await tellRunState(page, { step: 2 });
  await page.goto(`/key-system-2?${WHO}`);
  await expect(page.getByText('Step 2 of 6')).toBeVisible();

  tell({ step: 3 });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page).toHaveURL(/\/key-system-3\?/);
});

test('a captcha that ran out while its page was open is solved again, and the button works as before', async ({
  page,
  device,
}) => {
  await page.clock.install();
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);
  const complete = page.getByRole('link', { name: 'Complete' });
  await expect(complete).toHaveAttribute('href', /./);

  const solvedAgain = page.waitForResponse('**/api/v2/verify-captcha');
  await page.clock.fastForward(5 * MINUTE);
  expect(await (await solvedAgain).text()).toBe('true');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(complete).toHaveAttribute('href', /./);
  await complete.click();
  await expect(page.getByRole('heading', { name: 'Linkvertise' })).toBeVisible();
});

function countStates(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/keysystem/state?')) count++;
  });
  return () => count;
}

/** Stops the page's clock about a second after a request for the state. */
async function holdClock(page: Page): Promise<void> {
  await page.waitForRequest('**/api/keysystem/state?**');
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + SECOND);
}

/** Expects exactly one request for the state within each of two periods of `ms` milliseconds. */
async function expectEvery(page: Page, asked: () => number, ms: number): Promise<void> {
  for (const stretch of [1, 2]) {
    const before = asked();
    const asking = page.waitForRequest('**/api/keysystem/state?**');
    await page.clock.runFor(ms / 2);
    await page.evaluate(() => undefined);
    await page.clock.runFor(ms / 2);
    await asking;
    expect(asked() - before, `in stretch ${String(stretch)}`).toBe(1);
  }
}
