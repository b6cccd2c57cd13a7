import type { Page } from '@playwright/test';
import { MATRIX } from '../fixtures/matrix.ts';
import { settled } from '../fixtures/settled.ts';
import { expect, test } from '../fixtures/site.ts';

/** Pages of one kind each; the others are looked at in the full matrix. */
const KINDS = ['/v5', '/plans', '/rosaverx', '/gate', '/key-system-1?hwid=device-1&zone=z', '/key-system-getkey'];

const PAGES = [
  ...[
    '/v5',
    '/neo',
    '/arceusxv3',
    '/plans',
    '/resellers',
    '/successV5',
    '/errorV5',
    '/payment-failed',
    '/success-premium',
  ],
  ...[
    '/rosaverx',
    '/encrypter',
    '/privacy-policy',
    '/portfolio',
    '/resetsuccessV5',
    '/check-key',
    '/developers',
    '/errors',
    '/gate',
  ],
  ...['/key-system-1?hwid=device-1&zone=z', '/rosaverx/key-system-1?hwid=device-1&zone=z', '/key-system-getkey'],
];

/** The widths of the window in pixels, and the font sizes in percent of the default. */
const SIZES = [
  { width: 360, letters: 130 },
  { width: 360, letters: 150 },
  { width: 360, letters: 175 },
  { width: 360, letters: 200 },
  { width: 320, letters: 200 },
];

for (const path of PAGES) {
  const tag = KINDS.includes(path) ? [] : MATRIX;

  test(
    `with larger letters every word of ${path} and everything one can press is there to its edge`,
    { tag },
    async ({ page }) => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await settled(page);

      for (const size of SIZES) {
        await enlarge(page, size);
        const named = `${size.letters} % in ${size.width} px`;
        expect(await page.evaluate(cutOff), named).toEqual([]);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
          named,
        ).toBeLessThanOrEqual(0);
      }
    },
  );
}

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
      page.getByRole('button', { name: 'Menu' }).boundingBox(),
    ]);
    expect((brand?.x ?? 0) + (brand?.width ?? 0), named).toBeLessThan(number.left);
    expect(number.right, named).toBeLessThanOrEqual(number.roomRight);
    expect(number.bottom, named).toBeLessThanOrEqual(number.roomBottom);
    expect(number.roomRight, named).toBeLessThanOrEqual(button?.x ?? 0);
    expect((button?.x ?? 0) + (button?.width ?? 0), named).toBeLessThanOrEqual(size.width);
  }
});

test('the menu shows its pages and places in full with larger letters', async ({ page }) => {
  await page.goto('/plans');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.locator('#navbar-menu')).toHaveAttribute('data-menu', 'open');
  const items = page.getByRole('navigation', { name: 'Main' }).getByRole('listitem');
  const labels = items.locator('span:not([aria-hidden]), a:not(:has(span))');
  await expect(labels).toHaveCount(12);

  for (const { width, letters } of SIZES) {
    await enlarge(page, { width, letters });
    for (const label of await labels.all()) {
      const { left, right, needs, room } = await label.evaluate((element) => {
        const box = element.getBoundingClientRect();
        return { left: box.left, right: box.right, needs: element.scrollWidth, room: element.clientWidth || box.width };
      });
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
      expect(needs).toBeLessThanOrEqual(Math.ceil(room));
    }
  }
});

async function enlarge(page: Page, { width, letters }: { width: number; letters: number }) {
  await page.setViewportSize({ width, height: 740 });
  await page.evaluate((percent) => document.documentElement.style.setProperty('font-size', `${percent}%`), letters);
}

/** Runs in the page. Returns the texts, links and buttons that reach beyond the window or are clipped by a box. */
function cutOff(): string[] {
  const edge = document.documentElement.clientWidth + 1;
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest('[aria-hidden="true"]');
  const isOut = ({ left, right }: DOMRect) => left < -1 || right > edge;

  const pressed = [...document.querySelectorAll('main :is(h1, h2, h3, a, button, input), footer a')]
    .filter((element) => isSeen(element) && isOut(element.getBoundingClientRect()))
    .map((element) => element.textContent);

  const words: string[] = [];
  const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!text.textContent?.trim() || !parent || !isSeen(parent)) continue;

    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.width < 1 || !isCut(parent, box)) continue;
    words.push(text.textContent.trim());
  }
  return [...pressed, ...words];

  /** Whether a text is clipped. A box that scrolls clips nothing, and a box of one pixel is for screen readers only. */
  function isCut(parent: Element, box: DOMRect): boolean {
    for (let around: Element | null = parent; around && around !== document.body; around = around.parentElement) {
      const { overflowX } = getComputedStyle(around);
      const room = around.getBoundingClientRect();
      if (['auto', 'scroll'].includes(overflowX) || room.width <= 1) return false;
      if (overflowX !== 'visible' && (box.left < room.left - 1 || box.right > room.right + 1)) return true;
    }
    return isOut(box);
  }
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
