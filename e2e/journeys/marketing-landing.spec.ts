import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';
import { inBothWindows, WINDOWS } from '../fixtures/windows.ts';

const EDITIONS = [
  { app: 'V5', badge: 'MOST POPULAR', address: /\/v5$/, heading: 'Introducing Arceus X V5' },
  { app: 'NEO', badge: 'FREE', address: /\/neo$/, heading: 'Arceus X NEO' },
  { app: 'V3', badge: 'DISCONTINUED', address: /\/arceusxv3$/, heading: 'Arceus X V3' },
];

const PHRASES = [
  'The first AI executor',
  'Say it, and it is a script',
  'Ask what a line does',
  'Let it find the fault',
  'In your own words',
  'Less typing, more play',
];

test('of the three editions exactly one is chosen, V5 at first; arrow keys and taps choose another', async ({
  page,
}) => {
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

    const words = page.getByText('The lightweight edition: the editor');
    await words.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    // The card's label lies over its words.
    await words.click({ force: true });
    await expect(cards.nth(1)).toBeChecked();
    await cards.nth(0).check({ force: true });
  });
  await expect(page).toHaveURL(/\/v5$/);
});

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
      { question: 'Can my account be banned?', answer: 'Yes, that risk is always there' },
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

for (const [name, viewport] of Object.entries(WINDOWS)) {
  for (const { path, anchors } of [
    { path: '/v5', anchors: ['downloads', 'demo', 'why', 'compare', 'faq'] },
    { path: '/neo', anchors: ['downloads', 'demo', 'why', 'features', 'faq'] },
  ]) {
    test(`the anchors of ${path} lead to their parts, below the navbar, in a ${name} window`, async ({ page }) => {
      await page.setViewportSize(viewport);
      // The first comes with a load of the page, the others find it there.
      for (const anchor of anchors) {
        await page.goto(`${path}#${anchor}`);
        const heading = page.locator(`#${anchor} h2`).first();

        await expect(heading).toBeInViewport();
        const top = await topOf(heading);
        expect(top).toBeGreaterThanOrEqual(64);
        expect(top).toBeLessThan(240);
      }
    });
  }
}

test('the download button leads to the downloads of the page, and keeps the query', async ({ page }) => {
  await page.goto('/neo?hwid=device-1&zone=z');
  const button = page.getByRole('link', { name: 'Download', exact: true });

  await inBothWindows(page, async () => {
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await expect(button).toBeInViewport();
    await button.click();
    await expect(page).toHaveURL(/\/neo\?hwid=device-1&zone=z#downloads$/);
    await expect(page.locator('#downloads h2')).toBeInViewport();
  });
});

test('a page begins at its top, when one goes there and when it is loaded anew; going back finds it where it was left', async ({
  page,
}) => {
  await page.goto('/v5');
  await page.getByRole('link', { name: 'Learn more about NEO' }).scrollIntoViewIfNeeded();
  const before = await scrollOf(page);
  expect(before).toBeGreaterThan(300);
  await page.getByRole('link', { name: 'Learn more about NEO' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Arceus X NEO' })).toBeInViewport();
  expect(await scrollOf(page)).toBe(0);

  await page.goBack();
  await expect(page.getByRole('radiogroup')).toBeInViewport();
  await expect.poll(() => scrollOf(page)).toBe(before);

  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await expect.poll(() => scrollOf(page)).toBe(0);
});

test('beside where an app runs stands the mark of the visitor’s system, if the app runs there', async ({ page }) => {
  for (const [path, words, icon] of [
    ['/v5', 'Available for: Android', 'android'],
    ['/v5?os=IOS', 'Available for: Android', 'android'],
    ['/v5?os=windows', 'Available for: Android', 'android'],
    ['/neo', 'Available for: Android and iOS', 'android'],
    ['/neo?os=IOS', 'Available for: Android and iOS', 'ios'],
    ['/neo?os=android_vng', 'Available for: Android and iOS', 'android'],
    ['/neo?os=windows', 'Available for: Android and iOS', 'android'],
    ['/neo?os=amiga', 'Available for: Android and iOS', 'android'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    await expect(page.locator('main [data-os]'), path).toHaveAttribute('data-os', icon);
  }
});

test('V5 says what it is, from its first screen to its footer', async ({ page }) => {
  await page.goto('/v5?hwid=device-1&zone=z');

  await inBothWindows(page, async () => {
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await expect(
      page.getByRole('heading', { level: 1, name: 'Introducing Arceus X V5', exact: true }),
    ).toBeInViewport();
    await expect(page.getByText('Arceus Intelligence', { exact: true })).toBeInViewport();
    await expect(page.getByRole('link', { name: 'Subscribe' })).toBeInViewport();
    await expect(page.getByRole('heading', { name: 'Join the future with V5! NEW', exact: true })).toBeVisible();

    for (const claim of ['500k+', '1000+', '200k+', '4.8/5', '4.7/5', '99.9%'])
      await expect(page.locator('dd', { hasText: claim }).first()).toBeVisible();
    await expect(page.getByRole('radiogroup').getByText('Chosen by 200k+ players')).toBeVisible();
    for (const box of ['Unseen UI Experience', 'First AI Executor', 'Extreme Performance', 'The Most Innovative']) {
      await expect(
        page.getByRole('region', { name: 'Why V5' }).getByRole('heading', { name: box, exact: true }),
      ).toBeVisible();
    }
    await expect(
      page.getByRole('region', { name: 'Everything at hand' }).getByRole('heading', { level: 3 }),
    ).toHaveText(['A full editor', 'About 99 percent', 'Your devices, your call', 'Genuine licences']);
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

    // On a phone it lies over the page all the way; on a desk it ends it.
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
  for (const name of ['Community chat', 'Video channel', 'Short videos', 'Photos', 'Microblog', 'Code']) {
    await expect(footer.getByRole('link', { name })).toHaveAttribute('href', /^https:\/\/[a-z]+\.arceusx\.example\//);
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
    expect(width).toBe(name === 'wide' ? 800 : 328);
  });
});

test('what the assistant can do passes in six phrases, five seconds each, and can be stopped', async ({ page }) => {
  await page.clock.install();
  await page.goto('/v5');
  const line = page.getByRole('heading', { level: 1 }).locator('~ div').first();
  await expect(line.getByRole('button', { name: 'Stop the changing line' })).toBeVisible();
  const spoken: string[] = [];

  await page.clock.pauseAt(Date.now() + 3_600_000);
  for (let turn = 0; turn < PHRASES.length; turn += 1) {
    const phrase = await phraseIn(line);
    spoken.push(phrase);
    await page.clock.runFor(5000);
    await expect.poll(() => phraseIn(line)).not.toBe(phrase);
  }
  expect([...spoken].sort()).toEqual([...PHRASES].sort());
  expect(await phraseIn(line)).toBe(spoken[0]);

  await line.getByRole('button', { name: 'Stop the changing line' }).click();
  await page.clock.runFor(20_000);
  expect(await phraseIn(line)).toBe(spoken[0]);
  await expect(line.getByRole('button', { name: 'Let the line change' })).toBeVisible();
});

test('for whoever wants stillness the first phrase stands, and so do the ten lights behind it', async ({ page }) => {
  await page.goto('/v5');
  const lights = page.locator('main > header > [aria-hidden]').first().locator('> span');
  await expect(lights).toHaveCount(10);
  expect(await movingIn(lights)).toBe(10);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(() => movingIn(lights)).toBe(0);
  await expect(page.getByText(PHRASES[0] ?? '').first()).toBeVisible();
});

test('NEO is laid out as V5 is, and knows the way to the key system and on to V5', async ({ page }) => {
  await page.goto('/neo?hwid=device-1&zone=z');

  await inBothWindows(page, async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Arceus X NEO', exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      'NEO in a minute',
      'Why NEO',
      'What is in it',
      'How it works',
      'Downloads',
      'Questions',
      'Want an assistant beside the editor?',
      'Free, and ready in minutes',
    ]);
    await expect(page.locator('#faq details')).toHaveCount(5);
    await expect(page.getByRole('contentinfo')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Get a key' })).toHaveAttribute(
      'href',
      '/key-system-1?hwid=device-1&zone=z',
    );
  });

  await page.getByRole('link', { name: 'Learn more' }).click();
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
    for (const fact of ['v3.1.0', 'about 142 MB', '+5M'])
      await expect(page.getByRole('definition').filter({ hasText: fact })).toBeVisible();

    await page.getByRole('button', { name: 'Watch the video' }).click();
    const dialog = page.getByRole('dialog', { name: 'V3 in a game' });
    await expect(dialog.getByRole('button', { name: /Play the video/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Watch the video' })).toBeFocused();
  });
});

async function topOf(element: Locator): Promise<number> {
  await expect.poll(async () => (await element.boundingBox())?.y ?? -1).toBeLessThan(240);
  return (await element.boundingBox())?.y ?? -1;
}

function scrollOf(page: Page): Promise<number> {
  return page.evaluate(() => window.scrollY);
}

/** What is read out of the changing line: its first words are for those who listen. */
function phraseIn(line: Locator): Promise<string> {
  return line.evaluate((element, phrases) => {
    const spoken = [...element.querySelectorAll('span')].find(
      (span) => span.childElementCount === 0 && !span.closest('[aria-hidden]') && phrases.includes(span.textContent),
    );
    return spoken?.textContent ?? '';
  }, PHRASES);
}

/** How many of the lights an animation still moves. */
function movingIn(lights: Locator): Promise<number> {
  return lights.evaluateAll(
    (all) => all.filter((light) => light.getAnimations().some(({ playState }) => playState === 'running')).length,
  );
}
