import type { Page } from '@playwright/test';
import { finishStep } from '../fixtures/key-steps.ts';
import { watchProblems } from '../fixtures/problems.ts';
import { MAIN } from '../fixtures/tags.ts';
import { readKey } from '../fixtures/read-key.ts';
import { expect, test } from '../fixtures/site.ts';
import { verifyOffline } from '../fixtures/verify-offline.ts';
import { expectSound } from '../fixtures/sound.ts';

const HOUR_IN_S = 60 * 60;

test(
  'a visitor earns a key that works for 24 hours, through back, reload and a second tab',
  { tag: MAIN },
  async ({ page, request, context, device }) => {
    const query = `hwid=${device}&zone=zone-1`;
    const startedAt = Math.floor(Date.now() / 1000);
    const problems = watchProblems(page);

    await test.step('step 1, by Rinku', async () => {
      await page.goto(`/key-system-1?${query}`);
      await page.getByRole('radio', { name: 'Rinku' }).check();
      await expect(page.getByText('Step 1 of 6')).toBeVisible();
      await expect(page.getByText(`${device.slice(0, 8)}…${device.slice(-4)}`)).toBeVisible();
      await finishWholeStep(page, 'Rinku');
      await expect(page).toHaveURL(/\/key-system-2\?/);
    });

    await test.step('back leads forward again: the page follows the run', async () => {
      await page.goto(`/key-system-1?${query}`);
      await expect(page).toHaveURL(/\/key-system-2\?/);
      await expect(page.getByText('Completed!')).toHaveCount(1);
    });

    await test.step('step 2, by Work.ink', async () => {
      await page.getByRole('radio', { name: 'Work.ink' }).check();
      await finishWholeStep(page, 'Work.ink');
      await expect(page).toHaveURL(/\/key-system-3\?/);
    });

    await test.step('a reload keeps the step, and shows it', async () => {
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Third step' })).toBeFocused();
      await expect(page.getByRole('heading', { name: 'Third step' })).toBeInViewport();
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
      await expect(page.getByText('Step 3 of 6')).toBeVisible();
      await expect(page.getByText('Completed!')).toHaveCount(2);
    });

    await test.step('step 3, by LootLabs, whose word comes by postback', async () => {
      await page.getByRole('radio', { name: 'LootLabs' }).check();
      await finishWholeStep(page, 'LootLabs');
      await expect(page).toHaveURL(/\/key-system-4\?/);
    });

    await test.step('step 4 begins on Linkvertise and is finished in a second tab', async () => {
      await expect(page.getByRole('radio', { name: 'Linkvertise' })).toBeChecked();
      const second = await context.newPage();
      await second.goto(`/key-system-1?${query}`);
      await expect(second).toHaveURL(/\/key-system-4\?/);
      await finishWholeStep(second, 'Linkvertise');
      await expect(second).toHaveURL(/\/key-system-5\?/);
      await second.close();
    });

    await test.step('the first tab still shows step 4; its button leads to the true step', async () => {
      await page.getByRole('link', { name: 'Complete' }).click();
      await expect(page).toHaveURL(/\/key-system-5\?/);
    });

    await test.step('the progress of the run is reported to the app', async () => {
      expect(await readKey(request, query)).toMatchObject({ status: 'in_progress', step: 5, of: 6 });
    });

    await test.step('steps 5 and 6', async () => {
      await page.getByRole('radio', { name: 'LootLabs' }).check();
      await finishWholeStep(page, 'LootLabs');
      await expect(page).toHaveURL(/\/key-system-6\?/);
      // The choice of the step before, once the page works.
      await expect(page.getByRole('radio', { name: 'LootLabs' })).toBeChecked();
      await page.getByRole('radio', { name: 'Linkvertise' }).check();
      await finishWholeStep(page, 'Linkvertise');
    });

    await expect(page).toHaveURL(/\/key-system-getkey\?/);
    await expect(page.getByRole('heading', { name: 'Key System completed!' })).toBeVisible();

    const answer = await readKey(request, query);
    expect(answer.status).toBe('active');

    const jwks: unknown = await (await request.get('/.well-known/jwks.json')).json();
    const claims = await verifyOffline(answer.key, jwks, { app: 'main', hwid: device });
    const finishedAt = Math.floor(Date.now() / 1000);
    expect(claims.exp - claims.iat).toBe(24 * HOUR_IN_S);
    expect(claims.iat).toBeGreaterThanOrEqual(startedAt);
    expect(claims.iat).toBeLessThanOrEqual(finishedAt);

    await expect(verifyOffline(answer.key, jwks, { app: 'main', hwid: `${device}x` })).rejects.toThrow();
    await expect(verifyOffline(answer.key, jwks, { app: 'companion', hwid: device })).rejects.toThrow();
    expect(problems).toEqual([]);
  },
);

test(
  'a visitor who chooses an advertiser, goes there and comes back by Back still has the device',
  { tag: MAIN },
  async ({ page, device }) => {
    await page.goto(`/key-system-1?hwid=${device}&zone=zone-1`);
    await page.getByRole('radio', { name: 'Rinku' }).check();
    await page.getByRole('link', { name: /^Complete/ }).click();
    await expect(page.getByRole('heading', { name: 'Rinku' })).toBeVisible();

    await page.goBack();

    await expect(page.getByRole('radio', { name: 'Rinku' })).toBeChecked();
    await expect(page.getByRole('link', { name: /^Complete/ })).toHaveAttribute('href', /advertiser=rinku/);
    await expect(page).toHaveURL(`/key-system-1?hwid=${device}&zone=zone-1&advertiser=rinku`);
  },
);

test('the companion’s run takes three steps', async ({ page, request, device }) => {
  const query = `hwid=${device}&zone=zone-1`;
  await page.goto(`/rosaverx/key-system-1?${query}`);

  for (const next of ['key-system-2', 'key-system-3', 'key-system-getkey']) {
    await finishWholeStep(page, 'Linkvertise');
    await expect(page).toHaveURL(new RegExp(`/rosaverx/${next}\\?`));
  }

  await expect(page.getByRole('heading', { name: 'Key System completed!' })).toBeVisible();
  const answer = await readKey(request, `${query}&app=companion`);
  const jwks: unknown = await (await request.get('/.well-known/jwks.json')).json();
  await verifyOffline(answer.key, jwks, { app: 'companion', hwid: device });
});

test('a step is done with the keyboard alone', { tag: MAIN }, async ({ page, device }) => {
  await page.goto(`/key-system-1?hwid=${device}&zone=zone-1`);
  const complete = page.getByRole('link', { name: 'Complete' });
  await expect(complete).toHaveAttribute('href', /./);

  await page.getByRole('radio', { name: 'Linkvertise' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Rinku' })).toBeChecked();
  await expect(page).toHaveURL(/advertiser=rinku/);
  for (let tabs = 0; tabs < 4 && !(await complete.evaluate((link) => link === document.activeElement)); tabs++) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Rinku' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled();
  await page.getByRole('button', { name: 'Continue' }).press('Enter');
  await expect(page).toHaveURL(/\/key-system-2\?/);
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeFocused();
});

test('a visitor who comes back without a proof again and again reads why, and has to wait', async ({
  page,
  device,
}) => {
  const query = `hwid=${device}&zone=zone-1`;
  await page.goto(`/key-system-1?${query}`);

  for (let times = 1; times <= 3; times++) {
    await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /./);
    await page.getByRole('link', { name: 'Complete' }).click();
    await page.getByRole('button', { name: 'Wrong proof' }).click();
    await expect(page).toHaveURL(/\/key-system-bypass\?/);
    await expect(page.getByRole('heading', { name: 'Bypass detected!' })).toBeVisible();
    if (times < 3) await page.getByRole('link', { name: 'Back to Key System' }).click();
  }

  await expect(page.getByText('You’re on a timeout')).toBeVisible();
  await expect(page.getByRole('timer')).toContainText(/1[45]:\d\d/);
  await page.goto(`/key-system-1?${query}`);
  await expect(page.getByText('You’re on a timeout')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Try again in' })).not.toHaveAttribute('href', /./);
});

test('a link of another site to the key system is asked about once, and its button leads to the advertiser', async ({
  page,
  device,
}) => {
  await page.goto(`/key-system-1?hwid=${device}&zone=zone-1`);
  const complete = page.getByRole('link', { name: /^Complete/ });
  await expect(complete).toHaveAttribute('href', /./);
  const href = await complete.evaluate((link: HTMLAnchorElement) => link.href);

  const elsewhere = 'http://elsewhere.example/';
  await page.route(elsewhere, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${href.replaceAll('&', '&amp;')}">Free keys</a>` }),
  );
  await page.goto(elsewhere);
  await page.getByRole('link', { name: 'Free keys' }).click();
  await expect(page.getByRole('heading', { name: 'Continue to your key?' })).toBeVisible();
  await expectSound(page);

  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/dev\/advertiser\//);
});

/** By how many pixels an element of the page reaches beyond the window, clipped or not. The light of a frame may. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const elements = document.querySelectorAll('main *:not([aria-hidden], [aria-hidden] *)');
    const edges = [...elements].map((element) => element.getBoundingClientRect().right);
    return Math.max(0, ...edges.map((right) => Math.ceil(right - innerWidth)));
  });
}

/** Finishes a step, whose page is not wider than the window. */
async function finishWholeStep(page: Page, advertiser: string) {
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
  expect(await overflow(page), `at ${page.url()}`).toBe(0);
  await finishStep(page, advertiser);
}
