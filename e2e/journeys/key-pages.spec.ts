import type { Page } from '@playwright/test';
import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';

const HOUR = 60 * 60_000;
const WHO = 'hwid=device-pages-1&zone=zone-1';

for (const { app, folder, name, other, steps } of [
  { app: 'main', folder: '', name: 'Arceus X', other: 'RosaverX', steps: 6 },
  { app: 'companion', folder: '/rosaverx', name: 'RosaverX', other: 'Arceus X', steps: 3 },
] as const) {
  test(`every key page of ${name} says whose it is, and names no other app`, async ({ page }) => {
    const tell = await tellRunState(page, { app });

    for (let step = 1; step <= steps; step++) {
      tell({ app, step });
      await page.goto(`${folder}/key-system-${String(step)}?${WHO}`);
      await expect(page.getByText(`Step ${String(step)} of ${String(steps)}`)).toBeVisible();
      await expectNamed(page, name, other);
    }

    await page.goto(`${folder}/key-system-bypass?${WHO}&r=KS_PROOF`);
    await expect(page.getByRole('heading', { level: 1, name: 'Bypass detected!' })).toBeVisible();
    await expectNamed(page, name, other);

    tell({ app, keyLeft: 20 * HOUR });
    await page.goto(`${folder}/key-system-getkey?${WHO}`);
    await expect(page.getByRole('dialog', { name: 'Key System completed!' })).toBeVisible();
    await expectNamed(page, name, other);
  });
}

for (const [step, word, name] of [
  [1, 'rinku', 'Rinku'],
  [2, 'workink', 'Work.ink'],
  [3, 'LootLabs', 'LootLabs'],
  [5, 'lootlabs', 'LootLabs'],
  [5, 'workink', 'Linkvertise'],
  [2, 'nobody', 'Linkvertise'],
] as const) {
  test(`step ${String(step)} opened with advertiser=${word} begins on ${name}, and its button leads there`, async ({
    page,
  }) => {
    await tellRunState(page, { step });
    await page.goto(`/key-system-${String(step)}?${WHO}&advertiser=${word}`);

    await expect(page.getByRole('radio', { name })).toBeChecked();
    const id = name.toLowerCase().replace('.', '');
    await expect(page.getByRole('link', { name: /^Complete/ })).toHaveAttribute(
      'href',
      new RegExp(`advertiser=${id}&`),
    );
  });
}

for (const [path, words] of [
  ['/key-system-1?hwid=a%20b&zone=z', 'The device ID is missing or malformed'],
  ['/key-system-1?hwid=a%20b', 'The device ID is missing or malformed'],
  ['/key-system-2?hwid=device-pages-2&zone=a%20b', 'The zone is malformed'],
  ['/key-system-getkey?hwid=a%20b&zone=z', 'The device ID is missing or malformed'],
  ['/key-system-getkey?hwid=device-pages-2&zone=a%20b', 'The zone is malformed'],
] as const) {
  test(`${path} says what is wrong with its link, and leads to the app`, async ({ page }) => {
    await page.goto(path);

    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open the app' })).toHaveAttribute('href', 'roblox://');
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  });
}

for (const path of ['/key-system-1', '/key-system-getkey']) {
  test(`${path} after an error of the server can be read again`, async ({ page }) => {
    const problem = {
      type: 'about:blank',
      title: 'Something went wrong on our side',
      status: 500,
      code: 'server.unexpected',
      retryable: false,
      ref: 'r',
    };
    await page.route('**/api/keysystem/state?**', (route) => route.fulfill({ status: 500, json: problem }));
    await page.goto(`${path}?${WHO}`);

    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await page.unroute('**/api/keysystem/state?**');
    await tellRunState(page, path.endsWith('getkey') ? { keyLeft: 20 * HOUR } : {});
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: path.endsWith('getkey') ? 'Launch' : 'Complete' })).toBeVisible();
  });
}

/**
 * Expects that the page names its app and not the other one. The dialog of a key covers the name, so it need not be
 * visible.
 */
async function expectNamed(page: Page, name: string, other: string): Promise<void> {
  const main = page.locator('main');
  await expect(main.getByText(name, { exact: true }).first()).toBeAttached();
  expect(await main.innerText()).not.toContain(other);
}

for (const [what, size] of [
  ['in a window of 320 pixels', 1],
  ['in a window of 320 pixels with text of twice the size', 2],
] as const) {
  test(`key pages are whole ${what}`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.addInitScript(
      (factor) =>
        document.addEventListener(
          'DOMContentLoaded',
          () => (document.documentElement.style.fontSize = `${String(factor * 100)}%`),
        ),
      size,
    );
    const tell = await tellRunState(page, { step: 2 });
    for (const path of [
      `/key-system-2?${WHO}&e=KS_LIMIT&until=${new Date(Date.now() + HOUR).toISOString()}`,
      `/key-system-bypass?${WHO}&r=KS_PROOF`,
    ]) {
      await page.goto(path);
      await expect(page.getByText('This counts once.').or(page.getByText(/You can go on (at|on) /))).toBeVisible();
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
