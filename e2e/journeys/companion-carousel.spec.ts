import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';
import { inBothWindows, WINDOWS } from '../fixtures/windows.ts';

const PLANS = ['Basic', 'Plus', 'Premium'];

test('three slides are captioned Basic, Plus and Premium, and each says how many days it skips', async ({ page }) => {
  const carousel = await openCarousel(page);

  await inBothWindows(page, async () => {
    await expect(carousel.getByRole('group', { name: 'Slides' }).getByRole('button')).toHaveText(PLANS);
    for (const [caption, days] of [['Premium', 365], ['Plus', 30], ['Basic', 7]] as const) {
      await carousel.getByRole('button', { name: caption }).click();
      await expect(carousel.getByRole('heading', { name: `${days} days without the key system` })).toBeVisible();
      await expectSlide(carousel, caption);
    }
  });
});

test('the arrow keys turn it both ways', async ({ page }) => {
  const carousel = await openCarousel(page);

  await inBothWindows(page, async () => {
    await carousel.getByRole('button', { name: 'Basic' }).click();
    for (const [key, caption] of [['ArrowRight', 'Plus'], ['ArrowRight', 'Premium'], ['ArrowRight', 'Basic'], ['ArrowLeft', 'Premium']] as const) {
      await page.keyboard.press(key);
      await expectSlide(carousel, caption);
    }
  });
});

test('a swipe of 40 px turns it, one of 39 px does not', async ({ page }) => {
  const carousel = await openCarousel(page);

  await inBothWindows(page, async () => {
    for (const { pixels, caption } of [
      { pixels: -40, caption: 'Plus' },
      { pixels: -39, caption: 'Basic' },
      { pixels: 40, caption: 'Premium' },
      { pixels: 39, caption: 'Basic' },
    ]) {
      await carousel.getByRole('button', { name: 'Basic' }).click();
      await swipe(page, carousel, pixels);
      await expectSlide(carousel, caption);
    }
  });
});

for (const [name, viewport] of Object.entries(WINDOWS)) {
  test.describe(`in a ${name} window`, () => {
    test.use({ viewport });

    test('a slide stays for five seconds, and after the last comes the first', async ({ page }) => {
      const carousel = await openStopped(page);

      for (const caption of ['Basic', 'Plus', 'Premium', 'Basic']) {
        await page.clock.runFor(4900);
        await expectSlide(carousel, caption);
        await page.clock.runFor(100);
      }
    });
  });
}

test.describe('with a pointer', () => {
  test.use({ viewport: WINDOWS.wide });

  test('the pointer over it holds it, and so does the focus in it; leaving it lets it go on', async ({ page }) => {
    const carousel = await openStopped(page);

    await carousel.hover();
    await page.clock.runFor(30_000);
    await expectSlide(carousel, 'Basic');

    await page.mouse.move(2, 2);
    await page.clock.runFor(5000);
    await expectSlide(carousel, 'Plus');

    await carousel.getByRole('button', { name: 'Plus' }).focus();
    await page.clock.runFor(30_000);
    await expectSlide(carousel, 'Plus');
  });
});

async function openCarousel(page: Page): Promise<Locator> {
  await page.goto('/rosaverx');
  const carousel = page.getByRole('region', { name: 'Days without the key system, by plan' });
  await carousel.scrollIntoViewIfNeeded();
  return carousel;
}

/** The clock stands still from here on, and the first slide shows. */
async function openStopped(page: Page): Promise<Locator> {
  await page.clock.install();
  const carousel = await openCarousel(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await carousel.getByRole('button', { name: 'Basic' }).click();
  await carousel.getByRole('button', { name: 'Basic' }).blur();
  await page.mouse.move(2, 2);
  return carousel;
}

async function swipe(page: Page, carousel: Locator, pixels: number) {
  const slide = carousel.getByRole('group', { name: 'Basic, 1 of 3' });
  await slide.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const { x, y } = (await slide.boundingBox()) ?? { x: 0, y: 0 };

  await page.mouse.move(x + 100, y + 60);
  await page.mouse.down();
  await page.mouse.move(x + 100 + pixels, y + 60, { steps: 4 });
  await page.mouse.up();
}

async function expectSlide(carousel: Locator, caption: string) {
  await expect(carousel.getByRole('button', { name: caption })).toHaveAttribute('aria-current', 'true');
  await expect(carousel.locator('[aria-current="true"]')).toHaveCount(1);
}
