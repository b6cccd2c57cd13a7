import type { Page } from '@playwright/test';
import { violations } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/site.ts';
import { MAIN } from '../fixtures/tags.ts';

const PRODUCTS = ['V5', 'NEO', 'RosaverX', 'Plans', 'Resellers', 'Get a key'];
const HOSTS = { Discord: 'chat', YouTube: 'video', TikTok: 'shorts', Instagram: 'photos', X: 'micro', GitHub: 'code' };
const PLACES = Object.keys(HOSTS);
const MENU = [...PRODUCTS, 'Redeem a code', 'Check a key', ...PLACES];

const WIDE = { width: 1440, height: 900 };

test('the brand leads to /index from any page', async ({ page }) => {
  await page.goto('/plans');
  await page.getByRole('link', { name: 'Arceus X', exact: true }).click();

  await expect(page).toHaveURL(/\/index$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Introducing Arceus X V5' })).toBeVisible();
});

test(
  'the open menu is accessible and keeps the focus, Escape closes it and focuses its button',
  { tag: MAIN },
  async ({ page }) => {
    // This page has a link right after the menu.
    await page.goto('/errorV5');
    const button = page.getByLabel('Menu', { exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('#navbar-menu')).toHaveAttribute('data-menu', 'open');
    expect(await violations(page)).toEqual([]);

    for (const name of MENU) {
      await page.keyboard.press('Tab');
      await expect(linkIn(page, name)).toBeFocused();
    }
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
    await expect(openMenu(page)).toHaveCount(0);

    await page.keyboard.press('Enter');
    await linkIn(page, MENU.at(-1) ?? '').focus();
    await page.keyboard.press('Tab');
    await expect(page.locator('main :focus')).toHaveCount(0);
  },
);

test(
  'a menu that is opening takes the focus, one that is closing does not, nor does it lie bare on the page',
  { tag: MAIN },
  async ({ page }) => {
    await page.clock.install();
    // This page has a link right after the menu.
    await page.goto('/errorV5');
    const menu = page.locator('#navbar-menu');
    await page.getByLabel('Menu', { exact: true }).focus();
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await page.keyboard.press('Enter');
    await expect(menu).toHaveAttribute('data-menu', 'collapsing');
    await page.keyboard.press('Tab');
    await expect(linkIn(page, PRODUCTS[0] ?? '')).toBeFocused();
    await page.clock.runFor(350);
    await expect(menu).toHaveAttribute('data-menu', 'open');

    await page.keyboard.press('Escape');
    await expect(menu).toHaveAttribute('data-menu', 'collapsing');
    await page.keyboard.press('Tab');
    await expect(page.locator('main :focus')).toHaveCount(1);
    await expect(page.locator('header').first()).toHaveAttribute('data-scrolled', 'true');
    await page.clock.runFor(350);
    await expect(page.locator('header').first()).toHaveAttribute('data-scrolled', 'false');
  },
);

test('the menu marks the page that is open, and what is pressed dims instead of a flash of the browser', async ({
  page,
}) => {
  await page.goto('/plans');
  await page.getByLabel('Menu', { exact: true }).click();
  await expect(linkIn(page, 'Plans')).toHaveAttribute('aria-current', 'page');
  await expect(page.locator('#navbar-menu [aria-current=page]')).toHaveCount(1);

  const resellers = linkIn(page, 'Resellers');
  // Firefox has no such flash.
  const flash = '-webkit-tap-highlight-color';
  if (await page.evaluate((name) => CSS.supports(name, 'red'), flash))
    await expect(resellers).toHaveCSS(flash, 'rgba(0, 0, 0, 0)');
  // Firefox would begin to drag it.
  await resellers.evaluate((link: HTMLElement) => void (link.draggable = false));
  await resellers.hover();
  await page.mouse.down();
  await expect(resellers).toHaveCSS('opacity', '0.7');
  await page.mouse.move(10, 700);
  await page.mouse.up();
  await expect(resellers).toHaveCSS('opacity', '1');
});

test('a click beside the open menu closes it', async ({ page }) => {
  await page.goto('/plans');
  await page.getByLabel('Menu', { exact: true }).click();
  await expect(page.locator('[inert] main')).toHaveCount(1);
  // As long as the script waits for the end of it.
  await expect(page.locator('#navbar-menu')).toHaveCSS('transition-duration', '0.35s');
  await page.mouse.click(180, 720);

  await expect(openMenu(page)).toHaveCount(0);
});

test('going to another page closes the menu', { tag: MAIN }, async ({ page }) => {
  await page.goto('/plans');
  await page.getByLabel('Menu', { exact: true }).click();
  await page.getByRole('link', { name: 'Arceus X', exact: true }).click();

  await expect(page).toHaveURL(/\/index$/);
  await expect(openMenu(page)).toHaveCount(0);
});

test('an open menu closes when the window becomes wide, and the page takes the focus again', async ({ page }) => {
  await page.goto('/plans');
  await page.getByLabel('Menu', { exact: true }).click();
  await expect(page.locator('[inert] main')).toHaveCount(1);

  await page.setViewportSize(WIDE);
  await expect(page.locator('[inert] main')).toHaveCount(0);
});

test.describe('on a wide window', () => {
  test.use({ viewport: WIDE });

  test('the bar shows the six links of the community, each with an address outside the site', async ({ page }) => {
    await page.goto('/plans');

    await expect(page.getByLabel('Menu', { exact: true })).toBeHidden();
    for (const [name, host] of Object.entries(HOSTS)) {
      const link = linkIn(page, name);
      await expect(link).toBeVisible();
      await expect(link).toHaveAttribute('href', new RegExp(`^https://${host}\\.arceusx\\.example/`));
      await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
    }
  });
});

test('beneath the bar that has no colour yet the text of a page is covered by the page’s own background', async ({
  page,
}) => {
  await page.goto('/key-system-1?hwid=device-1&zone=z');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const veil = page.locator('header[data-scrolled] + [data-moved]');
  await expect(veil).toHaveCSS('opacity', '0');

  await scrollTo(page, 68);
  await expect(page.locator('header[data-scrolled]').first()).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await expect(veil).toHaveCSS('opacity', '1');
  await expect(veil).toHaveCSS('background-color', 'rgb(10, 12, 18)');
  await expect(veil).toHaveCSS('mask-image', 'none');
  // It lies over the heading that comes up, and under the bar's own words.
  expect(
    await page.evaluate(() => {
      const onTop = (element: Element | null) => Number(getComputedStyle(element ?? document.body).zIndex);
      const heading = document.querySelector('h1')?.getBoundingClientRect();
      const cover = document.querySelector('[data-moved]');
      return [
        (heading?.top ?? 0) < (cover?.getBoundingClientRect().bottom ?? 0),
        onTop(cover) > 0 && onTop(cover) < onTop(document.querySelector('header[data-scrolled]')),
      ];
    }),
  ).toEqual([true, true]);

  await scrollTo(page, 0);
  await expect(veil).toHaveCSS('opacity', '0');
});

test('the navbar is transparent up to 99 px, on V5 and NEO up to 40 px, and coloured beyond', async ({ page }) => {
  for (const { path, threshold } of [
    { path: '/plans', threshold: 99 },
    { path: '/v5', threshold: 40 },
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.evaluate(() => (document.body.style.minHeight = '3000px'));
    const navbar = page.locator('header[data-scrolled]').first();

    await scrollTo(page, threshold);
    await expect(navbar, path).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await scrollTo(page, threshold + 1);
    await expect(navbar, path).toHaveAttribute('data-scrolled', 'true');
    await expect(navbar, path).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await scrollTo(page, threshold);
    await expect(navbar, path).toHaveAttribute('data-scrolled', 'false');
  }
});

test('the navbar keeps one row with larger letters, and the page begins below it', async ({ page }) => {
  await page.routeWebSocket(/.*/, (socket) => socket.send('{"online":128}'));
  await page.goto('/plans');
  const bar = page.locator('header[data-scrolled]').first();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(page.getByText('128 online')).toBeVisible();
  const height = (await bar.boundingBox())?.height ?? 0;

  for (const [width, letters] of [
    [360, 130],
    [360, 200],
    [320, 200],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await page.evaluate((percent) => void (document.documentElement.style.fontSize = `${String(percent)}%`), letters);
    const named = `${letters} % in ${width} px`;
    expect((await bar.boundingBox())?.height, named).toBe(height);
    expect((await heading.boundingBox())?.y, named).toBeGreaterThanOrEqual(height);

    const [brand, number, button] = await Promise.all([
      page.getByRole('link', { name: 'Arceus X', exact: true }).boundingBox(),
      page.getByText('128 online').evaluate(boxOfNumber),
      page.getByLabel('Menu', { exact: true }).boundingBox(),
    ]);
    expect((brand?.x ?? 0) + (brand?.width ?? 0), named).toBeLessThan(number.left);
    expect(number.right, named).toBeLessThanOrEqual(number.roomRight);
    expect(number.bottom, named).toBeLessThanOrEqual(number.roomBottom);
    expect(number.roomRight, named).toBeLessThanOrEqual(button?.x ?? 0);
    expect((button?.x ?? 0) + (button?.width ?? 0), named).toBeLessThanOrEqual(width);
  }
});

/** The menu, while it is open. */
function openMenu(page: Page) {
  return page.locator('header details[open]');
}

/** A link in the navbar. The footer leads to the same pages. */
function linkIn(page: Page, name: string) {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
}

function scrollTo(page: Page, pixels: number) {
  return page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), pixels);
}

/** Runs in the page. Returns the position of the number at the beginning of a text, and the box that shows it. */
function boxOfNumber(element: Element) {
  const text = [...element.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
  if (!text) throw new Error('There is no text');

  const range = document.createRange();
  range.setStart(text, 0);
  range.setEnd(text, (text.textContent ?? '').indexOf(' '));
  const { left, right, bottom } = range.getBoundingClientRect();
  const room = element.getBoundingClientRect();
  return { left, right, bottom, roomRight: room.right, roomBottom: room.bottom };
}
