import type { Page } from '@playwright/test';
import { violations } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/site.ts';

test('the gate of linkvertise names Linkvertise and 2 steps', async ({ page }) => {
  await holdCaptcha(page);
  await page.goto('/gate?hwid=device-gate-1&advertiser=linkvertise');

  const gate = page.getByRole('region', { name: 'Gate' });
  await expect(gate.getByRole('definition').nth(0)).toHaveText('Linkvertise');
  await expect(gate.getByRole('definition').nth(1)).toHaveText('2 steps through this advertiser');
  await expect(page.getByRole('link', { name: /^Play the video: Trailer/ })).toBeVisible();
});

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

test('a reply that is not “true” is an alert, and the captcha begins again', async ({ page, device }) => {
  let replies = 0;
  await page.route('**/api/v2/verify-captcha', async (route) => {
    if (replies++ > 0) return route.fallback();
    await route.fulfill({ body: 'false', contentType: 'text/plain' });
  });
  await page.goto(`/gate?hwid=${device}&advertiser=linkvertise`);

  const alert = page.getByRole('alertdialog');
  await expect(alert).toContainText('CAPTCHA verification failed. Please try again.');
  expect(await violations(page)).toEqual([]);
  expect(new URL(page.url()).pathname).toBe('/gate');

  await alert.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByRole('heading', { name: 'Linkvertise' })).toBeVisible();
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
