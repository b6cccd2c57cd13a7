import type { Page } from '@playwright/test';
import { expectStill, painted, recordShifts } from '../fixtures/first-view.ts';
import { serveInParts } from '../fixtures/in-parts.ts';
import { expect, test } from '../fixtures/site.ts';
import { MATRIX } from '../fixtures/tags.ts';

const PARTS = 10;

test.use({ viewport: { width: 360, height: 740 } });

/** A server that has just started renders its pages while it already answers. */
async function untilRendered(url: string): Promise<void> {
  await expect.poll(async () => (await fetch(url)).text()).toContain('data-unit=');
}

/** Waits until the page has this comment, and has been painted with it. */
async function untilPainted(page: Page, mark: string): Promise<void> {
  await page.waitForFunction(
    (text) => document.evaluate(`//comment()[.='${text}']`, document, null, XPathResult.BOOLEAN_TYPE).booleanValue,
    mark,
  );
  await painted(page);
}

const MAIN_PATHS = ['/', '/v5', '/key-system-1?hwid=device-1&zone=zone-1'];

for (const path of [
  '/',
  '/v5',
  '/neo',
  '/arceusxv3',
  '/rosaverx',
  '/plans',
  '/resellers',
  '/key-system-1?hwid=device-1&zone=zone-1',
  '/check-key',
  '/redeem',
  '/privacy-policy',
])
  test(
    `${path} stays where it is while it arrives`,
    { tag: MAIN_PATHS.includes(path) ? [] : MATRIX },
    async ({ page, site }) => {
      await untilRendered(site.url + path);
      const slow = await serveInParts(site.url, PARTS);
      await recordShifts(page);
      // The page is tried as it comes. Hydration has journeys of its own.
      await page.route(/\.js$/, () => undefined);
      try {
        await page.goto(slow.url + path, { waitUntil: 'commit' });
        await untilPainted(page, 'part 0');
        for (let part = 1; part < PARTS; part++) {
          expect(slow.sendPart()).toBe(`part ${part}`);
          await untilPainted(page, `part ${part}`);
        }
        expect(slow.sendPart()).toBeUndefined();
        await expect(page.locator('footer')).toBeAttached();
        await expectStill(page);
      } finally {
        await slow.close();
      }
    },
  );

for (const [held, viewport] of [
  ['upright', { width: 360, height: 740 }],
  ['sideways', { width: 740, height: 360 }],
] as const)
  test(`on a phone that is held ${held} the bar is as high before its button has come`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto('/key-system-1');
    const bar = page.locator('[data-sticky-action]');
    const button = bar.getByRole('button', { name: 'Get Key' });
    await expect(button).toBeInViewport({ ratio: 1 });
    const height = (await bar.boundingBox())?.height;

    await button.evaluate((element) => (element.style.display = 'none'));
    await expect(button).toBeHidden();
    expect((await bar.boundingBox())?.height).toBe(height);
  });
