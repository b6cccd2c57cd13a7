import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';

test('a solved captcha leads through the key system’s endpoint to the advertiser', async ({ page, device }) => {
  const posted = page.waitForRequest('**/api/v2/verify-captcha');
  const left = page.waitForRequest('**/api/keysystemv2?**');
  await page.goto(`/gate?hwid=${device}&advertiser=lootlabs&os=ios`);

  const body = (await posted).postDataJSON() as Record<string, string>;
  expect(Object.keys(body)).toEqual(['g-recaptcha-response', 'hwid', 'OS', 'advertiser']);
  expect(body).toMatchObject({ hwid: device, OS: 'ios', advertiser: 'lootlabs' });
  expect(new URL((await left).url()).search).toBe(`?hwid=${device}&advertiser=lootlabs&os=ios`);
  await expect(page.getByRole('heading', { name: 'LootLabs' })).toBeVisible();
});

test('the gate glows in six colours, one a second', async ({ page }) => {
  await holdCaptcha(page);
  await page.goto('/gate?hwid=device-gate-1');

  const colours = new Set<string>();
  for (const second of [0, 1, 2, 3, 4, 5]) colours.add(await colourAt(page, second * 1000 + 500));
  expect(colours.size).toBe(6);
  expect(await colourAt(page, 6500)).toBe(await colourAt(page, 500));
});

/** Keeps the captcha unsolved, so that the gate leads nowhere. */
function holdCaptcha(page: Page): Promise<unknown> {
  return page.route('**/api/captcha/challenge?**', () => undefined);
}

/** The colour of the gate's light, so many milliseconds into its animation: the brightest of its layers has it. */
function colourAt(page: Page, ms: number): Promise<string> {
  return page.evaluate((time) => {
    const frame = document.querySelector('section[aria-label="Gate"]')?.parentElement as HTMLElement;
    const layers = frame.getAnimations({ subtree: true }).map((animation) => {
      animation.pause();
      animation.currentTime = time;
      const { opacity, boxShadow } = getComputedStyle((animation.effect as KeyframeEffect).target as Element);
      return { opacity: Number(opacity), boxShadow };
    });
    return layers.sort((one, other) => other.opacity - one.opacity)[0]?.boxShadow ?? '';
  }, ms);
}
