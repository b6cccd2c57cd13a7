import type { Locator, Page } from '@playwright/test';
import { MAIN } from '../fixtures/tags.ts';
import { expect, test } from '../fixtures/site.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const PLANS = ['Basic', 'Plus', 'Premium'];

/** Four turns: the slide after it would be another one. */
const LONG_MS = 22_000;

test('three slides are captioned Basic, Plus and Premium, and each says how many days it skips', async ({ page }) => {
  const carousel = await openCarousel(page);
  await expect(carousel.locator('label')).toHaveText(PLANS);
  await expect(carousel.getByRole('radio')).toHaveCount(PLANS.length);

  for (const [caption, days] of [
    ['Premium', 365],
    ['Plus', 30],
    ['Basic', 7],
  ] as const) {
    await carousel.locator('label', { hasText: caption }).click();
    await expect(carousel.getByRole('heading', { name: `${days} days without the key system` })).toBeVisible();
    await expectSlide(carousel, caption);
  }
});

test('the arrow keys turn it both ways', { tag: MAIN }, async ({ page }) => {
  const carousel = await openCarousel(page);
  await carousel.getByRole('radio', { name: 'Basic' }).focus();

  for (const [key, caption] of [
    ['ArrowRight', 'Plus'],
    ['ArrowRight', 'Premium'],
    ['ArrowRight', 'Basic'],
    ['ArrowLeft', 'Premium'],
    ['ArrowDown', 'Basic'],
    ['ArrowUp', 'Premium'],
  ] as const) {
    await page.keyboard.press(key);
    await expectSlide(carousel, caption);
    await expect(carousel.getByRole('radio', { name: caption })).toBeFocused();
  }
});

test('each caption is a target of at least 44 px, in one row with the others', async ({ page }) => {
  const carousel = await openCarousel(page);

  for (const width of [320, 360, 844, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    const boxes = await Promise.all((await carousel.locator('label').all()).map(boxOf));
    for (const box of boxes) {
      expect(box.width).toBeGreaterThanOrEqual(44);
      expect(box.height).toBeGreaterThanOrEqual(44);
    }
    expect(new Set(boxes.map(({ y }) => y)).size).toBe(1);
  }
});

for (const { pixels, caption, tag } of [
  { pixels: -40, caption: 'Plus', tag: MAIN },
  { pixels: -39, caption: 'Basic', tag: [] },
]) {
  test(`a swipe of ${pixels} px leads to ${caption}`, { tag }, async ({ page }) => {
    const carousel = await openCarousel(page);
    const box = await carousel.getByRole('group', { name: 'Basic, 1 of 3' }).boundingBox();
    const start = { x: (box?.x ?? 0) + 300, y: (box?.y ?? 0) + 60 };

    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(start.x + pixels, start.y, { steps: 4 });
    await page.mouse.up();
    await expectSlide(carousel, caption);
  });
}

test.describe('a finger', () => {
  test.use({ hasTouch: true });

  test('drags the slides along; let go short of 40 px they fall back, let go beyond it the neighbour comes', async ({
    page,
  }) => {
    const carousel = await openCarousel(page, { stopClock: true });
    const [basic, plus, premium] = PLANS.map((caption, at) =>
      carousel.getByRole('group', { name: `${caption}, ${at + 1} of 3`, includeHidden: true }),
    ) as [Locator, Locator, Locator];
    const { x, y, width } = await boxOf(basic);
    const finger = await touch(page, { x: x + 300, y: y + 60 });

    await finger.moveTo(-39);
    await expect.poll(async () => (await boxOf(basic)).x).toBe(x - 39);
    expect((await boxOf(plus)).x).toBe(x - 39 + width + 16);
    await expect(plus).toHaveCSS('opacity', '1');
    await expect(premium).toHaveCSS('opacity', '0');

    await page.clock.runFor(LONG_MS);
    await finger.lift();
    await expect.poll(async () => (await boxOf(basic)).x).toBe(x);
    await expectSlide(carousel, 'Basic');

    await finger.putDown();
    await finger.moveTo(-41);
    await finger.lift();
    await expectSlide(carousel, 'Plus');
    await expect.poll(async () => (await boxOf(plus)).x).toBe(x);

    await finger.putDown();
    await finger.moveTo(150);
    await expect.poll(async () => (await boxOf(basic)).x).toBe(x + 150 - width - 16);
    await finger.lift();
    await expectSlide(carousel, 'Basic');
  });

  test('that moves up or down scrolls the page and turns nothing', async ({ page }) => {
    const carousel = await openCarousel(page, { stopClock: true });
    const { x, y } = await boxOf(carousel.getByRole('group', { name: 'Basic, 1 of 3' }));
    const before = await page.evaluate(() => scrollY);
    const finger = await touch(page, { x: x + 300, y: y + 60 });

    await finger.moveTo(-45, -120);
    await finger.lift();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before + 60);
    await expectSlide(carousel, 'Basic');
  });
});

/**
 * A finger made with the browser's debug protocol. It causes the same events and the same scrolling as a touch screen.
 */
async function touch(page: Page, start: { x: number; y: number }) {
  const browser = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const putDown = () => send('touchStart', [start]);
  await putDown();

  return {
    putDown,
    /** Moves to a distance from the start, in several steps like a hand. */
    async moveTo(across: number, along = 0) {
      for (const share of [0.25, 0.5, 0.75, 1])
        await send('touchMove', [{ x: start.x + across * share, y: start.y + along * share }]);
    },
    lift: () => send('touchEnd', []),
  };
}

async function boxOf(slide: Locator) {
  const box = await slide.boundingBox();
  if (!box) throw new Error('The slide is not in the page');

  return box;
}

async function openCarousel(page: Page, { stopClock = false } = {}): Promise<Locator> {
  if (stopClock) await page.clock.install();
  await page.goto('/rosaverx');
  const carousel = page.getByRole('region', { name: 'Days without the key system, by plan' });
  await carousel.scrollIntoViewIfNeeded();
  if (stopClock) {
    await page.clock.pauseAt(Date.now() + 60_000);
    // The clock may have turned the slides before it was paused, so this goes back to the first one.
    await carousel.locator('label', { hasText: 'Basic' }).click();
    await carousel.getByRole('radio', { name: 'Basic' }).blur();
    await page.mouse.move(2, 2);
    // Waits for the movement of the slides, because a test measures their positions.
    await carousel.evaluate((element) =>
      Promise.all(element.getAnimations({ subtree: true }).map(({ finished }) => finished)),
    );
  }
  return carousel;
}

async function expectSlide(carousel: Locator, caption: string) {
  await expect(carousel.getByRole('radio', { name: caption })).toBeChecked();
  await expect(carousel.locator('[data-side="here"]')).toHaveAccessibleName(new RegExp(`^${caption},`));
}
