import { openHeld, hold } from '../fixtures/held-page.ts';
import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';
import { expectSound } from '../fixtures/sound.ts';

const MINUTE = 60_000;
const WHO = 'hwid=device-states-1&zone=zone-1';

test('until a page knows why its visitor was led to it, its words are hidden, so that none has to move', async ({
  page,
}) => {
  await tellRunState(page, { step: 2 });
  const goOn = await openHeld(page, '/key-system-1?hwid=short&zone=z');
  const action = page.locator('main').getByText('Get Key', { exact: true }).last();
  await expect(action).toBeAttached();
  await expect(action).toBeHidden();
  goOn();

  await expect(page.getByText('We don’t recognise the device in this link')).toBeVisible();
  await expect(action).toBeVisible();
});

test('with reduced motion too, a page of a refusal hides what it cannot know before it works', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await tellRunState(page, { step: 3, strikes: ['KS_FAST'] });
  const goOn = await openHeld(page, `/key-system-bypass?${WHO}&r=KS_FAST`);
  const threat = page.getByText(/^Keep bypassing/);
  await expect(threat).toBeAttached();
  await expect(threat).toBeHidden();
  goOn();

  await expect(threat).toBeVisible();
});

test('a page on which the run cannot go on is accessible, whatever holds it', async ({ page }) => {
  const tell = await tellRunState(page, {});
  for (const { path, words, told } of [
    {
      path: '/key-system-1?',
      words: 'This device is blocked',
      told: { cooldown: { left: null, reason: 'KS_BLOCKED' } },
    },
    {
      path: '/key-system-bypass?r=KS_COOLDOWN&',
      words: 'You’re on a timeout',
      told: { step: 2, cooldown: { left: 14 * MINUTE, reason: 'KS_COOLDOWN' } },
    },
    { path: '/key-system-2?', words: 'down right now', told: { step: 2, down: ['linkvertise'] } },
    {
      path: '/rosaverx/key-system-2?',
      words: 'Every advertiser’s down right now.',
      told: { app: 'companion', step: 2, down: ['linkvertise'] },
    },
  ] as const) {
    tell(told);
    await page.goto(path + WHO);
    await expect(page.getByText(words)).toBeVisible();
    await expectSound(page);
  }
});

for (const [app, path, name] of [
  ['main', '/key-system-getkey', 'Arceus X'],
  ['companion', '/rosaverx/key-system-getkey', 'RosaverX'],
] as const) {
  test(`the end of a run of ${name} is a window over an empty page, which keeps its ticket after it is closed`, async ({
    page,
  }) => {
    await tellRunState(page, { app, keyLeft: 24 * 60 * MINUTE - 1000 });
    await page.goto(`${path}?${WHO}`);

    const window = page.getByRole('dialog', { name: 'Key System completed!' });
    await expect(window).toContainText('Your key works for 24 hours. Then do the steps again.');
    await expect(window.getByRole('timer')).toContainText(/23:59:\d\d/);
    await expect(window.getByRole('link', { name: 'Launch' })).toHaveAttribute('href', 'roblox://');
    await expect(page.getByText(name, { exact: true }).last()).toBeAttached();
    await expectSound(page);

    await page.keyboard.press('Escape');
    await expect(window).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Your key is ready: open the app' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Launch' })).toHaveAttribute('href', 'roblox://');
    await expect(page.getByText('not begun')).toHaveCount(0);
    await expectSound(page);

    await page.reload();
    await expect(window).toBeVisible();
    await page.mouse.click(5, 5);
    await expect(window).toBeVisible();
    await window.getByRole('button', { name: 'Close' }).click();
    await expect(window).toBeHidden();
  });
}

test('an iPhone is shown an apple', async ({ browser, site }) => {
  const page = await browser.newPage({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' });
  await page.goto(`${site.url}/key-system-1?${WHO}`);

  await expect(page.getByRole('region', { name: 'Your run' }).locator('[data-os="ios"]')).toContainText('iOS');
  await expect(page.getByRole('region', { name: 'Key step', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Play the video: Trailer/ })).toBeVisible();

  await page.goto(`${site.url}/key-system-1`);
  await expect(page.locator('main [data-os="ios"]')).toContainText('iOS');
  await page.getByText('Details').click();
  await expect(page.getByText('not linked yet')).toBeVisible();
  await page.close();
});

test('after 100 runs the first step says how long they and their visits took, and nothing moves when it is said', async ({
  page,
  site,
}) => {
  const { path } = await site.seedPage('usual-time');
  const answer = await hold(page, /\/api\/keysystem\/state/);
  await page.goto(path);
  const below = page.getByText('Second step');
  await expect(below).toBeVisible();
  const before = await below.boundingBox();

  answer();

  await expect(page.getByText('Takes about 8 min')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Rinku 2 min 91% finish' })).toBeVisible();
  expect(await below.boundingBox()).toEqual(before);
});
