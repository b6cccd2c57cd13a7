import type { Page } from '@playwright/test';
import { painted, readFirstView, recordShifts } from '../fixtures/first-view.ts';
import { expect, test } from '../fixtures/site.ts';
import { inBothWindows } from '../fixtures/windows.ts';

const SONGS = ['Night build', 'Low orbit', 'Neon rain', 'First light', 'Soft reset', 'Long way up'];

test('a click, four seconds of one sentence, then the founder and a song', async ({ page }) => {
  await recordSound(page);
  await page.clock.install({ time: 0 });
  await page.goto('/portfolio');
  await expect(page.getByRole('button', { name: 'Click to enter' })).toBeVisible();
  expect(await soundOf(page)).toEqual({ contexts: 0, tones: 0, state: undefined });

  await page.clock.pauseAt(60_000);
  await page.getByRole('button', { name: 'Click to enter' }).click();
  await expect(page.getByText('Justice will be made')).toBeVisible();
  await page.clock.runFor(3999);
  await expect(page.getByText('Justice will be made')).toBeVisible();
  await page.clock.runFor(1);
  await expect(page.getByRole('heading', { level: 2, name: 'The founder' })).toBeVisible();
  await page.clock.resume();

  await inBothWindows(page, async () => {
    await expect(page.getByRole('heading', { level: 2, name: 'The founder' })).toBeInViewport();
    await expect(page.getByText('I started Arceus X and RosaverX.')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Look it up' }).getByRole('link')).toHaveText([
      'What this site stores',
      'Check a key yourself',
      'How keys work',
    ]);
    await expect(page.getByText('Justice will be made')).toBeHidden();
    await expect(
      page.getByRole('region', { name: 'Music' }).getByText(new RegExp(`^(${SONGS.join('|')})$`)),
    ).toBeInViewport();
  });
  await expect.poll(async () => (await soundOf(page)).tones).toBeGreaterThan(0);
  expect((await soundOf(page)).contexts).toBe(1);
});

test('pause and mute are switches that show their state', async ({ page }) => {
  await recordSound(page);
  await openProfile(page);
  const pause = page.getByRole('button', { name: 'Pause' });
  const mute = page.getByRole('button', { name: 'Mute' });
  await expect(pause).toHaveAttribute('aria-pressed', 'false');
  await expect(mute).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(async () => (await soundOf(page)).state).toBe('running');

  await pause.click();
  await expect(pause).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('Paused')).toBeVisible();
  await expect.poll(async () => (await soundOf(page)).state).toBe('suspended');

  await pause.click();
  await expect(pause).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(async () => (await soundOf(page)).state).toBe('running');

  await mute.click();
  await expect(mute).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => volumeOf(page)).toBeLessThan(0.001);
  await mute.click();
  await expect.poll(() => volumeOf(page)).toBeGreaterThan(0.7);
});

test('one can enter without music', async ({ page }) => {
  await page.clock.install();
  await page.goto('/portfolio');
  const music = page.getByRole('switch', { name: 'With music' });
  await expect(music).toBeChecked();
  await music.uncheck();
  await enterFast(page);

  await expect(page.getByRole('button', { name: 'Mute' })).toHaveAttribute('aria-pressed', 'true');
});

test('leaving the page ends the music', async ({ page }) => {
  await recordSound(page);
  await openProfile(page);
  await expect.poll(async () => (await soundOf(page)).state).toBe('running');

  await page.getByRole('link', { name: 'Arceus X', exact: true }).click();
  await expect(page).toHaveURL(/\/index$/);
  await expect.poll(async () => (await soundOf(page)).state).toBe('closed');
});

test('leaving during the transition leaves nothing behind', async ({ page }) => {
  await recordSound(page);
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'Click to enter' }).click();
  await expect(page.getByText('Justice will be made')).toBeVisible();
  await page.getByRole('link', { name: 'Arceus X', exact: true }).click();

  await expect.poll(async () => (await soundOf(page)).state).toBe('closed');
  expect((await soundOf(page)).tones).toBe(0);
});

test('a browser that makes no music still shows the profile', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'AudioContext'));
  await openProfile(page);

  await expect(page.getByText('Your browser can’t play it.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeHidden();
});

test('with the keyboard one gets in, and the focus goes along', async ({ page }) => {
  await page.clock.install();
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'Click to enter' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Justice will be made')).toBeVisible();
  await page.clock.runFor(4000);
  await expect(page.getByRole('heading', { name: 'The founder' })).toBeVisible();

  await expect(page.getByRole('main').locator('[tabindex="-1"]')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Make the founder jump' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeFocused();
});

test('each screen takes the place of the one before without moving anything', async ({ page }) => {
  await recordShifts(page);
  await page.setViewportSize({ width: 844, height: 390 });
  await openProfile(page);
  await expect(page.getByRole('heading', { level: 2, name: 'The founder' })).toBeInViewport();
  await painted(page);

  const { shifts } = await readFirstView(page);
  expect(shifts.filter(({ value }) => value >= 0.01)).toEqual([]);
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the sentence stands still', async ({ page }) => {
    await page.goto('/portfolio');
    await page.getByRole('button', { name: 'Click to enter' }).click();
    await expect(page.getByText('Justice will be made')).toBeVisible();
    const moving = await page.getByText('Justice will be made').evaluate(async (words) => {
      const first = words.getBoundingClientRect();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const second = words.getBoundingClientRect();
      return [second.x - first.x, second.y - first.y, second.width - first.width, words.getAnimations().length];
    });

    expect(moving).toEqual([0, 0, 0, 0]);
    await expect(page.getByText('Justice will be made')).toHaveCSS('opacity', '1');
  });

  test('the founder stands still, also after a click', async ({ page }) => {
    await openProfile(page);
    const founder = page.getByRole('button', { name: 'Make the founder jump' });
    await founder.click();
    await expect(page.getByText('1 coin', { exact: true })).toBeVisible();
    expect(await founder.evaluate((button) => button.getAnimations({ subtree: true }).length)).toBe(0);

    await founder.click();
    await expect(page.getByText('2 coins')).toBeVisible();
  });
});

async function openProfile(page: Page) {
  await page.clock.install();
  await page.goto('/portfolio');
  await enterFast(page);
}

/** Enters the profile, and lets the four seconds of the transition pass at once. */
async function enterFast(page: Page) {
  await page.getByRole('button', { name: 'Click to enter' }).click();
  await expect(page.getByText('Justice will be made')).toBeVisible();
  await page.clock.runFor(4000);
  await expect(page.getByRole('heading', { name: 'The founder' })).toBeVisible();
}

/** Records the page's audio contexts, gain nodes and started tones. */
async function recordSound(page: Page) {
  await page.addInitScript(() => {
    const sound = { contexts: [] as AudioContext[], gains: [] as GainNode[], tones: 0 };
    Object.assign(window, { sound });
    window.AudioContext = class extends AudioContext {
      constructor(options?: AudioContextOptions) {
        super(options);
        sound.contexts.push(this);
      }
    };
    window.GainNode = class extends GainNode {
      constructor(context: BaseAudioContext, options?: GainOptions) {
        super(context, options);
        sound.gains.push(this);
      }
    };
    window.OscillatorNode = class extends OscillatorNode {
      override start(when?: number) {
        sound.tones += 1;
        super.start(when);
      }
    };
  });
}

interface Sound {
  contexts: AudioContext[];
  gains: GainNode[];
  tones: number;
}

function soundOf(page: Page): Promise<{ contexts: number; tones: number; state: string | undefined }> {
  return page.evaluate(() => {
    const { contexts, tones } = (window as unknown as { sound: Sound }).sound;
    return { contexts: contexts.length, tones, state: contexts[0]?.state };
  });
}

/** The volume of the music: the page's first gain node, through which all tones go. */
function volumeOf(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { sound: Sound }).sound.gains[0]?.gain.value ?? -1);
}
