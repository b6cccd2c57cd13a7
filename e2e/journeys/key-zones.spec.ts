import type { Browser, Page } from '@playwright/test';
import { violations } from '../fixtures/axe.ts';
import { MATRIX } from '../fixtures/tags.ts';
import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';

const OTHER = 'You started this run with another app link';
const HOUR = 60 * 60 * 1000;
const FOLDER = '/rosaverx';

test('the app’s new link takes the run along: its pages say so, and the key goes there', async ({
  page,
  request,
  device,
}) => {
  await page.goto(`${FOLDER}/key-system-1?hwid=${device}&zone=zone-1`);
  await finishStep(page);
  await expect(page).toHaveURL(/key-system-2\?.*zone=zone-1/);

  await page.goto(`${FOLDER}/key-system-1?hwid=${device}&zone=zone-2`);
  await expect(page).toHaveURL(/key-system-2\?.*zone=zone-2/);
  await expect(page.getByText('Your run moves to the link you just opened.')).toBeVisible();
  await finishStep(page);
  await expect(page).toHaveURL(/key-system-3\?.*zone=zone-2/);
  await expect(page.getByText('Your run moves')).toHaveCount(0);
  await finishStep(page);

  await expect(page.getByRole('heading', { name: 'Key System completed!' })).toBeVisible();
  expect(await statusOf(request, device, 'zone-2')).toBe('active');
  expect(await statusOf(request, device, 'zone-1')).toBe('none');
});

test('a visitor who is led to the question about another link is not told that their run goes on', async ({ page }) => {
  const tell = await tellRunState(page, { step: 3, zone: 'other' });
  await page.goto('/key-system-1?hwid=device-asked-1&zone=zone-2');
  await expect(page.getByText(OTHER)).toBeVisible();

  // Toasts keep their order: when the next one is visible, an earlier one would be visible too.
  tell({ keyLeft: 20 * HOUR });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByRole('status').filter({ hasText: 'Your key is ready.' })).toBeVisible();
  await expect(page.getByText('Your run goes on at step')).toHaveCount(0);
});

test.describe('a second browser with another link', () => {
  test('is asked, and may go on: the key is then not for its link, which the end says', async ({
    page,
    browser,
    baseURL,
    request,
    device,
  }) => {
    await beginRun(page, device);
    const other = await openOther(browser, baseURL, device);
    await expect(other.getByText(OTHER)).toBeVisible();
    await expect(other.getByText('Your run goes on at step 2.')).toHaveCount(0);
    expect(await violations(other)).toEqual([]);

    for (const next of ['key-system-3', 'key-system-getkey']) {
      await other.getByRole('link', { name: 'Keep going' }).press('Enter');
      await finishVisit(other);
      await expect(other).toHaveURL(new RegExp(`${next}\\?.*zone=zone-2`));
    }

    await expect(
      other.getByText('This key’s for the link you started with, not the one you just opened.'),
    ).toBeVisible();
    expect(await statusOf(request, device, 'zone-1')).toBe('active');
    await other.getByRole('link', { name: 'Get a key for this link' }).click();
    await expect(other.getByText('Step 1 of 3')).toBeVisible();
    await finishStep(other);
    await expect(other).toHaveURL(/key-system-2\?.*zone=zone-2/);
  });

  test('is asked, and may start again: at step 1, with a captcha, beside a run that stays as it is', async ({
    page,
    browser,
    baseURL,
    request,
    device,
  }) => {
    await beginRun(page, device);
    const other = await openOther(browser, baseURL, device);
    await other.getByRole('link', { name: 'Start again' }).click();
    await expect(other).toHaveURL(/key-system-1\?.*run=new/);
    await expect(other.getByText('Step 1 of 3')).toBeVisible();

    await finishStep(other);
    await expect(other).toHaveURL(/key-system-2\?.*zone=zone-2/);
    await expect(other.getByText(OTHER)).toHaveCount(0);
    for (let steps = 0; steps < 2; steps++) await finishStep(other);
    await expect(other.getByRole('heading', { name: 'Key System completed!' })).toBeVisible();

    expect(await statusOf(request, device, 'zone-2')).toBe('active');
    await page.reload();
    await expect(page.getByText('Step 2 of 3')).toBeVisible();
  });

  test(
    'that clicks an earlier button is led back and asked',
    { tag: MATRIX },
    async ({ page, browser, baseURL, device }) => {
      await beginRun(page, device);
      const other = await openOther(browser, baseURL, device);

      await other.goto(`${FOLDER}/key-system-2?hwid=${device}&zone=zone-1`);
      await other.evaluate(
        (hwid) => window.location.assign(`/api/saverobux/keysystem?hwid=${hwid}&zone=zone-2&step=2`),
        device,
      );

      await expect(other).toHaveURL(/key-system-2\?.*e=KS_OTHER_ZONE/);
      await expect(other.getByText(OTHER)).toBeVisible();
    },
  );

  for (const viewport of [
    { width: 320, height: 640 },
    { width: 844, height: 390 },
  ]) {
    test(
      `reads the question in a window of ${viewport.width} × ${viewport.height}, with nothing beside it`,
      { tag: MATRIX },
      async ({ page, browser, baseURL, device }) => {
        await beginRun(page, device);
        const other = await openOther(browser, baseURL, device, viewport);

        await expect(other.getByText(OTHER)).toBeInViewport();
        for (const name of ['Start again', 'Keep going'])
          await expect(other.getByRole('link', { name })).toBeInViewport({ ratio: 1 });
        expect(await other.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      },
    );
  }
});

async function beginRun(page: Page, device: string): Promise<void> {
  await page.goto(`${FOLDER}/key-system-1?hwid=${device}&zone=zone-1`);
  await finishStep(page);
  await expect(page).toHaveURL(/key-system-2\?/);
}

/** Opens the app's link with another zone in a second browser. */
async function openOther(
  browser: Browser,
  baseURL: string | undefined,
  device: string,
  viewport = { width: 360, height: 740 },
): Promise<Page> {
  const context = await browser.newContext({ viewport, ...(baseURL && { baseURL }) });
  const other = await context.newPage();
  await other.goto(`${FOLDER}/key-system-1?hwid=${device}&zone=zone-2`);
  await expect(other).toHaveURL(/key-system-2\?.*zone=zone-2/);
  return other;
}

async function finishStep(page: Page): Promise<void> {
  const complete = page.getByRole('link', { name: /^Complete/ });
  await expect(complete).toHaveAttribute('href', /./);
  await complete.click();
  await finishVisit(page);
}

async function finishVisit(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Linkvertise' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function statusOf(
  request: { get: (url: string) => Promise<{ json: () => Promise<unknown> }> },
  device: string,
  zone: string,
): Promise<string> {
  const answer = (await (await request.get(`/api/key?hwid=${device}&zone=${zone}&app=companion`)).json()) as {
    status: string;
  };
  return answer.status;
}
