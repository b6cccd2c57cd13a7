import { expect, test } from '../fixtures/site.ts';

const PAGES = [
  ...['/v5', '/neo', '/arceusxv3', '/plans', '/resellers', '/successV5', '/errorV5', '/payment-failed', '/success-premium'],
  ...['/rosaverx', '/encrypter', '/privacy-policy', '/portfolio', '/resetsuccessV5', '/check-key'],
];

test('with letters twice as large, in a window of 320 px, every heading and everything one can press is there to its edge', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });

  for (const path of PAGES) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));

    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('main :is(h1, h2, h3, a, button, input), footer a')]
        .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest('[aria-hidden="true"]'))
        .filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          return left < -1 || right > document.documentElement.clientWidth + 1;
        })
        .map((element) => element.textContent),
    );
    expect(cut, path).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), path).toBeLessThanOrEqual(0);
  }
});
