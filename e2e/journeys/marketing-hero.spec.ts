import type { Locator } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';

const PHRASES = [
  'The first AI executor',
  'Say it. It scripts it.',
  'Ask what a line does',
  'It finds the bug',
  'Just say what you want',
  'Less typing, more play',
];

test('every word in the drawing at the top of a page is at least 11 px high', async ({ page }) => {
  for (const path of ['/v5', '/neo', '/arceusxv3', '/rosaverx']) {
    await page.goto(path);
    for (const width of [360, 844, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const sizes = await page.locator('main [data-hero] :is(text, p, li, label)').evaluateAll(sizesInSight);
      expect(sizes, `${path} in ${width} px`).not.toHaveLength(0);
      expect(Math.min(...sizes), `${path} in ${width} px`).toBeGreaterThanOrEqual(11);
    }
  }
});

/** The font sizes as rendered: with the scale of the drawing, the phone's, and the turn that makes words narrower. */
function sizesInSight(words: Element[]): number[] {
  return words.flatMap((word) => {
    const { left, width } = word.getBoundingClientRect();
    const own = word instanceof SVGGraphicsElement ? word.getBBox().width : width;
    const size = (Number.parseFloat(getComputedStyle(word).fontSize) * width) / own;
    return width > 0 && left < window.innerWidth ? [size] : [];
  });
}

test('a chip plays its script; the picture plays when its end comes into sight and at a tap, and with reduced motion not at all', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/v5');
  const scene = page.getByRole('radiogroup', { name: 'Pick a script to watch' });
  await expect.poll(() => playedIn(scene)).toBe('finished');

  await scene.scrollIntoViewIfNeeded();
  await expect.poll(() => playedIn(scene)).toBe('running');
  await expect.poll(() => playedIn(scene)).toBe('finished');

  await scene.click({ position: { x: 12, y: 12 } });
  expect(await playedIn(scene)).toBe('running');
  await expect.poll(() => playedIn(scene)).toBe('finished');

  await scene.getByRole('radio', { name: 'Glow' }).check();
  await expect(scene.getByText('Make me glow gold when I run')).toBeVisible();
  expect(await playedIn(scene)).toBe('running');

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await scene.getByRole('radio', { name: 'Speed' }).check();
  await expect(scene.getByText('hero.speed = 48')).toBeVisible();
  expect(await playedIn(scene)).toBe('still');
});

function playedIn(scene: Locator): Promise<string> {
  return scene.evaluate((element) => {
    const moving = element.getAnimations({ subtree: true }).filter((one) => one instanceof CSSAnimation);
    if (moving.length === 0) return 'still';
    return moving.some(({ playState }) => playState === 'running') ? 'running' : 'finished';
  });
}

test('in NEO each switch of a saved script changes the game beside it', async ({ page }) => {
  await page.goto('/neo');
  const scene = page.getByRole('group', { name: 'Saved scripts in NEO' });
  const shot = () => scene.screenshot({ animations: 'disabled' });
  for (const name of ['Speed', 'Night sky', 'Long view']) {
    const before = await shot();
    await scene.getByText(name).click();
    await expect.poll(async () => (await shot()).equals(before), name).toBe(false);
  }
});

test('beside where an app runs stands the mark of each system, whichever the visitor has', async ({ page }) => {
  await page.route('**/api/downloads', (route) => route.fulfill({ json: {} }));
  for (const [path, words, ...systems] of [
    ['/v5', 'Available for: Android', 'android'],
    ['/v5?os=IOS', 'Available for: Android', 'android'],
    ['/neo', 'Available for: Android and iOS', 'android', 'ios'],
    ['/neo?os=IOS', 'Available for: Android and iOS', 'android', 'ios'],
    ['/neo?os=amiga', 'Available for: Android and iOS', 'android', 'ios'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    const marks = page.locator('main [data-os]');
    await expect(marks, path).toHaveCount(systems.length);
    for (const [at, system] of systems.entries()) await expect(marks.nth(at), path).toHaveAttribute('data-os', system);
  }
});

test('the line of what the assistant can do is stopped by its button', async ({ page }) => {
  await page.clock.install();
  await page.goto('/v5');
  const line = page.getByRole('heading', { level: 1 }).locator('~ div').first();
  await line.getByRole('button', { name: 'Stop the changing line' }).click();
  const phrase = await phraseIn(line);
  expect(PHRASES).toContain(phrase);
  await page.clock.runFor(20_000);
  expect(await phraseIn(line)).toBe(phrase);

  await line.getByRole('button', { name: 'Let the line change' }).click();
  await page.clock.runFor(10_000);
  await expect.poll(() => phraseIn(line)).not.toBe(phrase);
});

test('with reduced motion the first phrase stays, and the ten lights behind it do not move', async ({ page }) => {
  await page.goto('/v5');
  const lights = page.locator('main > header > [aria-hidden]').first().locator('> span');
  await expect(lights).toHaveCount(10);
  expect(await movingIn(lights)).toBe(10);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(() => movingIn(lights)).toBe(0);
  const names = await lights.evaluateAll((all) => all.map((light) => getComputedStyle(light).animationName));
  expect(names).toEqual(Array(10).fill('none'));
  await expect(page.getByText(PHRASES[0] ?? '').first()).toBeVisible();
});

/** The phrase that screen readers get from the changing line. */
function phraseIn(line: Locator): Promise<string> {
  return line.evaluate((element, phrases) => {
    const spoken = [...element.querySelectorAll('span')].find(
      (span) => span.childElementCount === 0 && !span.closest('[aria-hidden]') && phrases.includes(span.textContent),
    );
    return spoken?.textContent ?? '';
  }, PHRASES);
}

/** How many of the lights have a running animation. */
function movingIn(lights: Locator): Promise<number> {
  return lights.evaluateAll(
    (all) => all.filter((light) => light.getAnimations().some(({ playState }) => playState === 'running')).length,
  );
}
