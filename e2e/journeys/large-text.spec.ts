import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';

/** The widths of the window in pixels, and the font sizes in percent of the default. */
const SIZES = [
  { width: 360, letters: 130 },
  { width: 360, letters: 150 },
  { width: 360, letters: 175 },
  { width: 360, letters: 200 },
  { width: 320, letters: 200 },
];

test('the navbar keeps one row with larger letters, and the page begins below it', async ({ page }) => {
  await page.routeWebSocket(/.*/, (socket) => socket.send('{"online":128}'));
  await page.goto('/plans');
  const bar = page.locator('header[data-scrolled]').first();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(page.getByText('128 online')).toBeVisible();
  const height = (await bar.boundingBox())?.height ?? 0;

  for (const size of SIZES) {
    await enlarge(page, size);
    const named = `${size.letters} % in ${size.width} px`;
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
    expect((button?.x ?? 0) + (button?.width ?? 0), named).toBeLessThanOrEqual(size.width);
  }
});

test('the device of a plan stays in its card with larger letters', async ({ page }) => {
  await page.goto('/plans?hwid=deviceWithoutAnyPlaceToBreakItsName000040&zone=z');
  const words = page.getByText('For your device');
  await expect(words).toContainText('device');

  for (const size of SIZES) {
    await enlarge(page, size);
    const { needs, room } = await words.locator('xpath=ancestor::div[1]').evaluate((card) => {
      const { right } = card.getBoundingClientRect();
      const ends = [...card.querySelectorAll('*')].map((part) => part.getBoundingClientRect().right);
      return { needs: Math.max(...ends), room: right - parseFloat(getComputedStyle(card).paddingRight) };
    });
    expect(needs, `${size.letters} % in ${size.width} px`).toBeLessThanOrEqual(room + 0.5);
  }
});

test('the menu shows its pages and places in full with larger letters', async ({ page }) => {
  await page.goto('/plans');
  await page.getByLabel('Menu', { exact: true }).click();
  await expect(page.locator('#navbar-menu')).toHaveAttribute('data-menu', 'open');
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('listitem').getByRole('link');
  await expect(links).toHaveCount(14);

  for (const { width, letters } of SIZES) {
    await enlarge(page, { width, letters });
    for (const link of await links.all()) {
      const { left, right, needs, room } = await link.evaluate((element) => {
        const box = element.getBoundingClientRect();
        return { left: box.left, right: box.right, needs: element.scrollWidth, room: element.clientWidth || box.width };
      });
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
      expect(needs).toBeLessThanOrEqual(Math.ceil(room));
    }
  }
});

test('a key step opened with larger letters begins below the strip', async ({ page, site }) => {
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('html { font-size: 200% !important }');
    document.adoptedStyleSheets = [sheet];
  });
  const { pathname, search } = new URL((await site.seed('step-3')).trim());
  await page.goto(pathname + search);
  await expect(page.getByRole('timer').first()).toContainText(/\d\d:\d\d/);

  const strip = await page.locator('[data-run-strip]').boundingBox();
  const heading = await page.getByRole('heading', { name: 'Third step' }).boundingBox();
  expect(heading?.y).toBeGreaterThanOrEqual((strip?.y ?? Infinity) + (strip?.height ?? 0));
});

async function enlarge(page: Page, { width, letters }: { width: number; letters: number }) {
  await page.setViewportSize({ width, height: 740 });
  await page.evaluate((percent) => document.documentElement.style.setProperty('font-size', `${percent}%`), letters);
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
