import { expect, test } from '../fixtures/site.ts';
import { MAIN } from '../fixtures/tags.ts';
import { inBothWindows } from '../fixtures/windows.ts';

const EDITIONS = [
  { app: 'V5', badge: 'MOST POPULAR', address: /\/v5$/, heading: 'Introducing Arceus X V5' },
  { app: 'NEO', badge: 'FREE', address: /\/neo$/, heading: 'Arceus X NEO' },
  { app: 'V3', badge: 'DISCONTINUED', address: /\/arceusxv3$/, heading: 'Arceus X V3' },
];

test(
  'of the three editions exactly one is chosen, V5 at first; arrow keys and taps choose another',
  { tag: MAIN },
  async ({ page }) => {
    await page.goto('/v5');
    const cards = page.getByRole('radiogroup', { name: 'Choose Your Experience' }).getByRole('radio');
    await expect(cards).toHaveCount(3);
    await expect(cards.nth(0)).toBeChecked();

    await inBothWindows(page, async () => {
      await cards.nth(0).focus();
      for (const next of [1, 2, 0]) {
        await page.keyboard.press('ArrowRight');
        await expect(cards.nth(next)).toBeChecked();
        for (const other of [0, 1, 2].filter((at) => at !== next)) await expect(cards.nth(other)).not.toBeChecked();
      }

      const words = page.getByText('Just the editor. Small and fast.');
      await words.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      // The card's label covers its text, so Playwright needs `force`.
      await words.click({ force: true });
      await expect(cards.nth(1)).toBeChecked();
      await expect(page.getByRole('status').filter({ hasText: 'You picked NEO.' })).toBeVisible();
      await expect(
        page.getByRole('region', { name: 'Choose Your Experience' }).getByRole('link', { name: 'Get NEO' }),
      ).toHaveAttribute('href', '/neo#downloads');
      await cards.nth(0).check({ force: true });
      await expect(page.getByText('You picked V5.', { exact: true })).toBeVisible();
    });
    await expect(page).toHaveURL(/\/v5$/);
  },
);

test('each card says its badge, and Learn more opens its page', async ({ page }) => {
  await inBothWindows(page, async () => {
    await page.goto('/index');
    for (const { app, badge, address, heading } of EDITIONS) {
      await expect(page.getByRole('radiogroup').getByText(badge, { exact: true })).toBeVisible();
      await page.getByRole('link', { name: `Learn more about ${app}` }).click();
      await expect(page).toHaveURL(address);
      await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
      await page.goBack();
    }
  });
});

test('of the five questions one is open at a time, and a click on the open one closes it', async ({ page }) => {
  await page.goto('/v5#faq');
  const open = page.locator('#faq details[open]');
  await expect(page.locator('#faq details')).toHaveCount(5);

  await inBothWindows(page, async () => {
    await expect(open).toHaveCount(0);
    for (const { question, answer } of [
      { question: 'Can my account be banned?', answer: 'Yes, that risk never goes away' },
      { question: 'Do my scripts work?', answer: 'About 99 percent of scripts are compatible.' },
      { question: 'Where do I find scripts?', answer: 'Players share them in our community chat' },
      { question: 'Is it legal?', answer: 'laws differ from country to country' },
      { question: 'What if I have another question?', answer: 'Open a support ticket in our community chat' },
    ]) {
      await page.getByText(question).click();
      await expect(open).toHaveCount(1);
      await expect(open).toContainText(answer);
      await expect(page.getByText(answer)).toBeVisible();
    }
    await expect(page.getByRole('link', { name: 'Open a ticket' })).toHaveAttribute('href', /^https:\/\/chat\./);

    await page.getByText('What if I have another question?').click();
    await expect(open).toHaveCount(0);
  });
});

test('V5 says what it is, from its first screen to its footer', async ({ page }) => {
  await page.goto('/v5?hwid=device-1&zone=z');

  await inBothWindows(page, async () => {
    // A window of another size keeps what it showed in view, and scrolls for it.
    await expect(async () => {
      await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
      await expect(
        page.getByRole('heading', { level: 1, name: 'Introducing Arceus X V5', exact: true }),
      ).toBeInViewport({ timeout: 500 });
    }).toPass();
    await expect(page.getByText('Arceus Intelligence', { exact: true })).toBeInViewport();
    await expect(page.getByRole('link', { name: 'Subscribe' })).toBeInViewport();
    await expect(page.getByRole('heading', { name: 'Join the future with V5! NEW', exact: true })).toBeVisible();

    for (const claim of ['500k+', '1000+', '4.8/5', '99.9%'])
      await expect(page.locator('dd', { hasText: claim }).first()).toBeVisible();
    await expect(page.getByRole('radiogroup').getByText('4.7/5')).toBeVisible();
    await expect(page.getByRole('radiogroup').getByText('Chosen by 200k+ players')).toBeVisible();
    for (const box of ['Unseen UI Experience', 'First AI Executor', 'Extreme Performance', 'The Most Innovative']) {
      await expect(
        page.getByRole('region', { name: 'Why V5' }).getByRole('heading', { name: box, exact: true }),
      ).toBeVisible();
    }
    const comparison = page.getByRole('table', { name: 'V5 or NEO' });
    await expect(comparison.getByRole('columnheader')).toHaveText(['V5', 'NEO']);
    await expect(comparison.getByRole('row', { name: /^Price/ })).toHaveText('PricePaidFree');
    await expect(comparison.getByRole('row', { name: /^AI assistant/ }).getByRole('img')).toHaveCount(2);
    await expect(
      page.getByRole('region', { name: 'How it works' }).getByRole('listitem').getByRole('heading'),
    ).toHaveText(['Subscribe', 'Install', 'Play']);

    const shop = page.getByRole('region', { name: 'Flex your spirit. Wear the badge.' });
    await expect(shop.getByText('Each purchase grants a bonus Plus Plan.', { exact: true })).toBeVisible();
    await expect(shop.getByRole('link', { name: 'VISIT THE SHOP' })).toHaveAttribute(
      'href',
      /^https:\/\/[a-z.]+\.example\//,
    );
    await expect(shop.getByRole('link', { name: 'VISIT THE SHOP' })).toHaveAttribute('rel', 'noopener noreferrer');

    // On a phone the button sticks to the bottom edge; on a desktop it is at the end of the page.
    await page.getByRole('heading', { name: 'Ready when you are' }).scrollIntoViewIfNeeded();
    await page.getByRole('link', { name: 'Download V5' }).click();
    await expect(page.locator('#downloads h2')).toBeInViewport();
  });

  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('link', { name: 'Privacy policy' })).toHaveAttribute(
    'href',
    '/privacy-policy?hwid=device-1&zone=z',
  );
  await expect(footer.getByRole('link', { name: 'Plans' })).toHaveAttribute('href', '/plans?hwid=device-1&zone=z');
  await expect(footer.getByRole('link', { name: 'Resellers' })).toHaveAttribute(
    'href',
    '/resellers?hwid=device-1&zone=z',
  );
  for (const name of ['Discord', 'YouTube', 'TikTok', 'Instagram', 'X', 'GitHub']) {
    await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute(
      'href',
      /^https:\/\/[a-z]+\.arceusx\.example\//,
    );
  }
  await page.getByRole('link', { name: 'Subscribe' }).click();
  await expect(page).toHaveURL(/\/resellers\?hwid=device-1&zone=z$/);
});

test('the trailer is 16:9 and never wider than 800 px', async ({ page }) => {
  await page.goto('/v5');
  const screen = page.locator('#demo figure > div > div');

  await inBothWindows(page, async (name) => {
    const { width, height } = (await screen.boundingBox()) ?? { width: 0, height: 1 };
    expect(width / height).toBeCloseTo(16 / 9, 2);
    // In a wide window it has two of three columns.
    if (name === 'wide') expect(Math.round(width)).toBe(699);
    else expect(width).toBe(328);
  });
});

test('NEO is laid out as V5 is, and knows the way to the key system and on to V5', async ({ page }) => {
  await page.goto('/neo?hwid=device-1&zone=z');

  await inBothWindows(page, async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Arceus X NEO', exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      'NEO in a minute',
      'Why NEO',
      'What’s in it',
      'How it works',
      'Downloads',
      'Questions',
      'Want an assistant beside the editor?',
      'Get NEO for free',
    ]);
    await expect(page.locator('#faq details')).toHaveCount(5);
    await expect(page.getByRole('contentinfo')).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'Get a key' })).toHaveAttribute(
      'href',
      '/key-system-1?hwid=device-1&zone=z',
    );
  });

  await page.getByRole('link', { name: 'Learn more about V5', exact: true }).click();
  await expect(page).toHaveURL(/\/v5\?hwid=device-1&zone=z#compare$/);
  await expect(page.getByRole('heading', { name: 'V5 or NEO' })).toBeInViewport();
});

test('V3 shows its parts, and its performance in a window of its own', async ({ page }) => {
  await page.goto('/arceusxv3');

  await inBothWindows(page, async () => {
    for (const part of [
      'UI design',
      'Floating icon',
      'Performance',
      'Custom keyboard',
      'Editor',
      'Key system',
      'Plans',
      'Security',
    ]) {
      await expect(page.getByRole('heading', { level: 3, name: part, exact: true })).toBeVisible();
    }
    await expect(page.getByText('24 hours of access')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Download V3' })).toHaveAttribute('href', /#downloads$/);
    for (const fact of ['v3.1.0', 'about 142 MB', '+5M'])
      await expect(page.getByRole('definition').filter({ hasText: fact })).toBeVisible();

    await page.getByRole('link', { name: 'Watch the video' }).click();
    const dialog = page.getByRole('dialog', { name: 'V3 in a game' });
    await expect(dialog.getByRole('link', { name: /Play the video/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('link', { name: 'Watch the video' })).toBeFocused();
  });
});
