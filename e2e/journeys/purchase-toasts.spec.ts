import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';

const NOW_S = Math.floor(Date.now() / 1000);
const DAY_S = 86_400;
const PURCHASES = [
  { name: 'Ada', timestamp: NOW_S, location: 'London', country_code: 'gb' },
  { name: 'Grace', timestamp: NOW_S - DAY_S, location: 'New York', country_code: 'usa' },
];

const FIRST_TOAST = { timeout: 15_000 };

test('purchases pass by in order and round again, a new one every 8 s, each for 5 s, one at a time', async ({ page }) => {
  await withPurchases(page, PURCHASES);
  await page.goto('/v5');
  await recordToasts(page);

  await expect.poll(() => seenToasts(page).then(({ length }) => length), { timeout: 50_000, intervals: [1000] }).toBeGreaterThanOrEqual(3);
  const seen = await seenToasts(page);

  expect(seen.slice(0, 3).map(({ text }) => text.split(' ')[0])).toEqual(['Ada', 'Grace', 'Ada']);
  expect(seen[0]?.text).toMatch(/^Ada got a plan.*London 🇬🇧 · Today at \d{1,2}:\d\d\s[AP]M$/);
  expect(seen[1]?.text).toMatch(/^Grace got a plan.*New York\s+· Yesterday at/);
  for (const [index, { from, to }] of seen.slice(0, 2).entries()) {
    const next = seen[index + 1]?.from ?? 0;
    expect(next - from).toBeGreaterThan(7500);
    expect(next - from).toBeLessThan(9500);
    // Coming and going take under a second each.
    expect(to - from).toBeGreaterThan(4800);
    expect(to - from).toBeLessThan(7500);
  }
});

test('on a phone a toast comes at the top; a tap on it leads to the resellers', async ({ page }) => {
  await withPurchases(page, PURCHASES);
  await page.goto('/key-system-1');

  const toast = page.getByRole('alert').filter({ hasText: 'Ada' });
  await expect(toast).toBeVisible(FIRST_TOAST);
  const box = await toast.boundingBox();
  expect(box?.y).toBeLessThan(200);
  await expect(page.getByRole('progressbar')).toBeHidden();

  await toast.click();
  await expect(page).toHaveURL(/\/resellers$/);
});

test.describe('on a wide window', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('a toast comes at the bottom left', async ({ page }) => {
    await withPurchases(page, PURCHASES);
    await page.goto('/index');

    const toast = page.getByRole('alert').filter({ hasText: 'Ada' });
    await expect(toast).toBeVisible(FIRST_TOAST);
    await expect.poll(async () => (await toast.boundingBox())?.y ?? 0).toBeGreaterThan(700);
    expect((await toast.boundingBox())?.x).toBeLessThan(200);
  });

  test('reduced motion leaves a toast its 5 s', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await withPurchases(page, PURCHASES);
    await page.goto('/index');
    await recordToasts(page);

    await expect.poll(() => seenToasts(page).then((seen) => seen.find(({ to }) => to > 0)), { timeout: 25_000 }).toBeDefined();
    const [first] = await seenToasts(page);
    expect((first?.to ?? 0) - (first?.from ?? 0)).toBeGreaterThan(4800);
  });
});

for (const { name, answer } of [
  { name: 'an answer that is no array', answer: { json: { 0: PURCHASES[0] } } },
  { name: 'a failure', answer: { status: 500 } },
]) {
  test(`${name} shows no toast and harms nothing`, async ({ page }) => {
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    const asked = page.waitForResponse('**/api/latest-purchase');
    await page.route('**/api/latest-purchase', (route) => route.fulfill(answer));
    await page.goto('/v5');
    await asked;

    await expect.poll(() => logged.some((text) => text.includes('Failed to fetch purchase'))).toBe('status' in answer);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
}

test('pages that are neither landing nor key pages ask for no purchases', async ({ page }) => {
  let asked = 0;
  await page.route('**/api/latest-purchase', (route) => {
    asked += 1;
    return route.fulfill({ json: PURCHASES });
  });
  await page.goto('/plans');
  // The toasts' code is there when their place is.
  await expect(page.locator('section[aria-label^="Recent purchases"]')).toBeAttached();

  expect(asked).toBe(0);
});

interface SeenToast {
  text: string;
  from: number;
  to: number;
}

async function withPurchases(page: Page, body: unknown) {
  await page.route('**/api/latest-purchase', (route) => route.fulfill({ json: body }));
}

/** Notes each toast with the moments in which it came and went, in milliseconds. */
async function recordToasts(page: Page) {
  await page.evaluate(() => {
    const seen: SeenToast[] = [];
    Object.assign(window, { seen });
    let shown: SeenToast | undefined;
    new MutationObserver(() => {
      const alerts = document.querySelectorAll('[role="alert"]');
      if (alerts.length > 1) throw new Error('Two toasts at a time');
      const [alert] = alerts;
      if (alert && !shown) {
        shown = { text: (alert.textContent ?? '').replace('plan', 'plan '), from: performance.now(), to: 0 };
        seen.push(shown);
      }
      if (!alert && shown) {
        shown.to = performance.now();
        shown = undefined;
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
}

function seenToasts(page: Page): Promise<SeenToast[]> {
  return page.evaluate(() => (window as unknown as { seen: SeenToast[] }).seen);
}
