import type { Page } from '@playwright/test';
import { MATRIX } from '../fixtures/tags.ts';
import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';

const HOUR = 60 * 60_000;
const WHO = 'hwid=device-pages-1&zone=zone-1';

test('every key page of RosaverX says whose it is, and names no other app', async ({ page }) => {
  const tell = await tellRunState(page, { app: 'companion' });

  for (const step of [1, 2, 3]) {
    tell({ app: 'companion', step });
    await page.goto(`/rosaverx/key-system-${String(step)}?${WHO}`);
    await expect(page.getByText(`Step ${String(step)} of 3`)).toBeVisible();
    await expectNamed(page, 'RosaverX', 'Arceus X');
  }

  await page.goto(`/rosaverx/key-system-bypass?${WHO}&r=KS_PROOF`);
  await expect(page.getByRole('heading', { level: 1, name: 'Bypass detected!' })).toBeVisible();
  await expectNamed(page, 'RosaverX', 'Arceus X');

  tell({ app: 'companion', keyLeft: 20 * HOUR });
  await page.goto(`/rosaverx/key-system-getkey?${WHO}`);
  await expect(page.getByRole('dialog', { name: 'Key System completed!' })).toBeVisible();
  await expectNamed(page, 'RosaverX', 'Arceus X');
});

test('step 2 opened with advertiser=workink begins on Work.ink, and its button leads there', async ({ page }) => {
  await tellRunState(page, { step: 2 });
  await page.goto(`/key-system-2?${WHO}&advertiser=workink`);

  await expect(page.getByRole('radio', { name: 'Work.ink' })).toBeChecked();
  await expect(page.getByRole('link', { name: /^Complete/ })).toHaveAttribute('href', /advertiser=workink&/);
});

test('a step says what is wrong with its link, and leads to the app', async ({ page }) => {
  await page.goto('/key-system-2?hwid=device-pages-2&zone=a%20b');

  await expect(page.getByText('Part of this link is missing')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Your key starts in the app' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Get Key' })).toBeVisible();
});

/**
 * Expects that the page names its app and not the other one. The dialog of a key covers the name, so it need not be
 * visible.
 */
async function expectNamed(page: Page, name: string, other: string): Promise<void> {
  const main = page.locator('main');
  await expect(main.getByText(name, { exact: true }).first()).toBeAttached();
  expect(await main.innerText()).not.toContain(other);
}

for (const [what, size, tag] of [
  ['in a window of 320 pixels', 1, MATRIX],
  ['in a window of 320 pixels with text of twice the size', 2, undefined],
] as const) {
  test(`key pages are whole ${what}`, { tag: tag ?? [] }, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.addInitScript(
      (factor) =>
        document.addEventListener(
          'DOMContentLoaded',
          () => (document.documentElement.style.fontSize = `${String(factor * 100)}%`),
        ),
      size,
    );
    const tell = await tellRunState(page, { step: 2, strikes: ['KS_PROOF'] });
    for (const path of [
      `/key-system-2?${WHO}&e=KS_LIMIT&until=${new Date(Date.now() + HOUR).toISOString()}`,
      `/key-system-bypass?${WHO}&r=KS_PROOF`,
    ]) {
      await page.goto(path);
      await expect(page.getByText('That’s 1 strike.').or(page.getByText(/Try again (at|on)\s/))).toBeVisible();
      expect(await cutOff(page), path).toEqual([]);
    }

    tell({ keyLeft: -HOUR });
    await page.goto(`/key-system-1?${WHO}`);
    await expect(page.getByText(/Your key ended/)).toBeVisible();
    expect(await cutOff(page)).toEqual([]);

    tell({ keyLeft: HOUR });
    await page.goto(`/key-system-getkey?${WHO}`);
    const sides = await page
      .getByRole('dialog')
      .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    expect(sides.scrollWidth).toBe(sides.clientWidth);
  });
}

/** The texts that reach beyond the window or overlap another text. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = [
      ...document.querySelectorAll('main h1, main h2, main h3, main p, main code, main fieldset span, main button'),
    ].filter(
      (element) =>
        element.checkVisibility() &&
        element.textContent !== '' &&
        !element.closest('[data-sticky-action], [data-run-strip]'),
    );
    const boxes = texts
      .filter((element) => !texts.some((inner) => inner !== element && element.contains(inner)))
      .map((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return { words: element.textContent.trim(), box: range.getBoundingClientRect() };
      });
    const wide = boxes.filter(({ box }) => box.width > 1 && box.right > innerWidth + 1);
    const over = boxes.filter(({ box }, at) =>
      boxes
        .slice(at + 1)
        .some(
          ({ box: next }) =>
            Math.min(box.right, next.right) - Math.max(box.left, next.left) > 2 &&
            Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top) > 4,
        ),
    );
    return [...wide, ...over].map(({ words }) => words);
  });
}
