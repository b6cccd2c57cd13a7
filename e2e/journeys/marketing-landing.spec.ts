import type { Locator } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';

const WIDE = { width: 1440, height: 900 };

test('of the three editions exactly one is chosen, V5 at first, and the arrow keys choose another', async ({ page }) => {
  await page.goto('/v5');
  const cards = page.getByRole('radiogroup', { name: 'Choose Your Experience' }).getByRole('radio');
  await expect(cards).toHaveCount(3);
  await expect(cards.nth(0)).toBeChecked();

  await cards.nth(0).focus();
  await page.keyboard.press('ArrowRight');
  await expect(cards.nth(1)).toBeChecked();
  await page.keyboard.press('ArrowRight');
  await expect(cards.nth(2)).toBeChecked();
  await page.keyboard.press('ArrowRight');
  await expect(cards.nth(0)).toBeChecked();

  for (const at of [1, 2]) await expect(cards.nth(at)).not.toBeChecked();
});

test('a tap on a card chooses it', async ({ page }) => {
  await page.goto('/v5');
  const words = page.getByText('The lightweight edition: the editor');
  await words.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  // The card's label lies over its words.
  await words.click({ force: true });

  await expect(page.getByRole('radio', { name: /NEO/ })).toBeChecked();
  await expect(page).toHaveURL(/\/v5$/);
});

for (const { app, badge, address, heading } of [
  { app: 'V5', badge: 'MOST POPULAR', address: /\/v5$/, heading: 'Introducing Arceus X V5' },
  { app: 'NEO', badge: 'FREE', address: /\/neo$/, heading: 'Arceus X NEO' },
  { app: 'V3', badge: 'DISCONTINUED', address: /\/arceusxv3$/, heading: 'Arceus X V3' },
]) {
  test(`the card of ${app} says ${badge} and opens its page`, async ({ page }) => {
    await page.goto('/index');
    await expect(page.getByRole('radiogroup').getByText(badge, { exact: true })).toBeVisible();
    await page.getByRole('link', { name: `Learn more about ${app}` }).click();

    await expect(page).toHaveURL(address);
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
  });
}

test('of the five questions one is open at a time, and a click on the open one closes it', async ({ page }) => {
  await page.goto('/v5#faq');
  const questions = page.locator('#faq details');
  await expect(questions).toHaveCount(5);
  await expect(page.locator('#faq details[open]')).toHaveCount(0);

  await page.getByText('Do my scripts work?').click();
  await expect(page.getByText('About 99 percent of scripts are compatible.')).toBeVisible();
  await page.getByText('Is it legal?').click();
  await expect(page.locator('#faq details[open]')).toHaveCount(1);
  await expect(page.getByText('About 99 percent of scripts are compatible.')).toBeHidden();

  await page.getByText('Is it legal?').click();
  await expect(page.locator('#faq details[open]')).toHaveCount(0);
});

for (const [name, viewport] of Object.entries({ phone: { width: 360, height: 740 }, wide: WIDE })) {
  test.describe(`in a ${name} window`, () => {
    test.use({ viewport });

    for (const address of ['/v5#demo', '/v5#why', '/v5#compare', '/v5#faq', '/v5#downloads', '/neo#demo', '/neo#why', '/neo#features', '/neo#faq', '/neo#downloads']) {
      test(`${address} begins at its part, below the navbar`, async ({ page }) => {
        await page.goto(address);
        const heading = page.locator(`${address.slice(address.indexOf('#'))} h2`).first();

        await expect(heading).toBeInViewport();
        const top = await topOf(heading);
        expect(top).toBeGreaterThanOrEqual(64);
        expect(top).toBeLessThan(240);
      });
    }

    for (const path of ['/v5', '/neo', '/arceusxv3', '/resellers']) {
      test(`nothing on ${path} moves while it loads`, async ({ page }) => {
        await page.addInitScript(() => {
          Object.assign(window, { shifted: 0 });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) (window as unknown as { shifted: number }).shifted += (entry as unknown as { value: number }).value;
          }).observe({ type: 'layout-shift', buffered: true });
        });
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await page.waitForLoadState('networkidle');

        expect(await page.evaluate(() => (window as unknown as { shifted: number }).shifted)).toBeLessThan(0.01);
      });
    }
  });
}

test('the download button leads to the downloads of the page, and keeps the query', async ({ page }) => {
  await page.goto('/neo?hwid=device-1&zone=z');
  await page.getByRole('link', { name: 'Download', exact: true }).click();

  await expect(page).toHaveURL(/\/neo\?hwid=device-1&zone=z#downloads$/);
  await expect(page.locator('#downloads h2')).toBeInViewport();

  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  await page.getByRole('link', { name: 'Download', exact: true }).click();
  await expect(page.locator('#downloads h2')).toBeInViewport();
});

test('going back finds the page where it was left', async ({ page }) => {
  await page.goto('/v5');
  await page.getByRole('link', { name: 'Learn more about NEO' }).scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  await page.getByRole('link', { name: 'Learn more about NEO' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Arceus X NEO' })).toBeVisible();

  await page.goBack();
  await expect(page.getByRole('radiogroup')).toBeInViewport();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
});

for (const { query, icon } of [
  { query: '', icon: 'android' },
  { query: '?os=IOS', icon: 'ios' },
  { query: '?os=windows', icon: 'windows' },
  { query: '?os=android_vng', icon: 'android_vng' },
  { query: '?os=amiga', icon: 'android' },
]) {
  test(`with "${query}" the first screen shows the mark of ${icon}`, async ({ page }) => {
    await page.goto(`/v5${query}`);

    await expect(page.getByText('Available for: Android')).toBeVisible();
    await expect(page.locator('main [data-os]')).toHaveAttribute('data-os', icon);
  });
}

test('the first screen subscribes through the resellers, and says who the assistant is', async ({ page }) => {
  await page.goto('/v5');
  await expect(page.getByText('Arceus Intelligence', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Join the future with V5! NEW', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Subscribe' }).click();

  await expect(page).toHaveURL(/\/resellers$/);
});

test('for whoever wants stillness the first phrase of the assistant stands', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/v5');

  await expect(page.getByText('The first AI executor').first()).toBeVisible();
});

test('the claims are the product’s own', async ({ page }) => {
  await page.goto('/v5');
  for (const claim of ['500k+', '200k+', '4.8/5', '4.7/5', '99.9%']) await expect(page.locator('dd', { hasText: claim }).first()).toBeVisible();
  await expect(page.getByRole('radiogroup').getByText('Chosen by 200k+ players')).toBeVisible();
  for (const box of ['Unseen UI Experience', 'First AI Executor', 'Extreme Performance', 'The Most Innovative']) {
    await expect(page.getByRole('heading', { name: box, exact: true })).toBeVisible();
  }
});

test('the badge can be worn: the shop opens beside the site', async ({ page }) => {
  await page.goto('/v5');

  await expect(page.getByRole('heading', { name: 'Flex your spirit. Wear the badge.', exact: true })).toBeVisible();
  await expect(page.getByText('Each purchase grants a bonus Plus Plan.', { exact: true })).toBeVisible();
  const shop = page.getByRole('link', { name: 'VISIT THE SHOP' });
  await expect(shop).toHaveAttribute('href', /^https:\/\/[a-z.]+\.example\//);
  await expect(shop).toHaveAttribute('rel', 'noopener noreferrer');
});

test('the footer leads to policy, plans, resellers and every community', async ({ page }) => {
  await page.goto('/v5?hwid=device-1&zone=z');
  const footer = page.getByRole('contentinfo');

  await expect(footer.getByRole('link', { name: 'Privacy policy' })).toHaveAttribute('href', '/privacy-policy');
  await expect(footer.getByRole('link', { name: 'Plans' })).toHaveAttribute('href', '/plans?hwid=device-1&zone=z');
  await expect(footer.getByRole('link', { name: 'Resellers' })).toHaveAttribute('href', '/resellers');
  for (const name of ['Community chat', 'Video channel', 'Short videos', 'Photos', 'Microblog', 'Code']) {
    await expect(footer.getByRole('link', { name })).toHaveAttribute('href', /^https:\/\/[a-z]+\.arceusx\.example\//);
  }
});

test('V3 shows its parts, and its performance in a window of its own', async ({ page }) => {
  await page.goto('/arceusxv3');
  for (const part of ['UI design', 'Floating icon', 'Performance', 'Custom keyboard', 'Editor', 'Key system', 'Plans', 'Security']) {
    await expect(page.getByRole('heading', { level: 3, name: part, exact: true })).toBeVisible();
  }
  await expect(page.getByText('24 hours of access')).toBeVisible();
  for (const fact of ['v3.1.0', 'about 142 MB', '+5M']) await expect(page.getByRole('definition').filter({ hasText: fact })).toBeVisible();

  await page.getByRole('button', { name: 'Watch the video' }).click();
  const dialog = page.getByRole('dialog', { name: 'V3 in a game' });
  await expect(dialog.getByRole('button', { name: /Play the video/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Watch the video' })).toBeFocused();
});

async function topOf(element: Locator): Promise<number> {
  await expect.poll(async () => (await element.boundingBox())?.y ?? -1).toBeLessThan(240);
  return (await element.boundingBox())?.y ?? -1;
}
