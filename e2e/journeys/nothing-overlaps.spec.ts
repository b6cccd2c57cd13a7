import type { Locator, Page } from '@playwright/test';
import { findFaults } from '../fixtures/page-faults.ts';
import { openState, PAGE_STATES, SCENARIOS } from '../fixtures/page-states.ts';
import { settled } from '../fixtures/settled.ts';
import { expect, test } from '../fixtures/site.ts';

interface Size {
  width: number;
  height: number;
  /** The font size in percent of the default. */
  letters: number;
}

const WINDOWS = [
  { width: 320, height: 640 },
  { width: 360, height: 740 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];

/** Letters only grow: Chromium may keep a line of large letters broken after they have shrunk. */
const SIZES: Size[] = [
  ...WINDOWS.map((window) => ({ ...window, letters: 100 })),
  { width: 360, height: 740, letters: 150 },
  ...WINDOWS.map((window) => ({ ...window, letters: 200 })),
];
const NONE = { printedThrough: [], covered: [], cut: [], broken: [], sideways: 0 };

test.use({ contextOptions: { reducedMotion: 'reduce' } });

for (const [language, locale] of Object.entries({ English: 'en-US', Vietnamese: 'vi-VN' }))
  test.describe(`in ${language}`, () => {
    test.use({ locale });
    test.describe.configure({ timeout: 180_000 });

    for (const [name, state] of Object.entries(PAGE_STATES))
      test(`in every window nothing overlaps and nothing is cut: ${name}`, async ({ page }) => {
        await openState(page, state);
        const sizes = SIZES.filter(({ width }) => width <= (state.upTo ?? Infinity));
        await expectInSizes(page, sizes, state.action?.(page));
      });

    for (const name of SCENARIOS)
      test(`in every window nothing overlaps and nothing is cut: seed ${name}`, async ({ page, site }) => {
        const { path } = await site.seedPage(name);
        await openState(page, { path });
        await expectInSizes(page, SIZES);
      });
  });

test('the scenarios that are looked at are those of npm run seed', async ({ site }) => {
  const lines = (await site.seed()).split('\n').filter((line) => line.startsWith('  '));
  // Mails are no page.
  expect(lines.map((line) => line.trim().split(' ')[0])).toEqual([...SCENARIOS, 'mails']);
});

test('a fault of each kind is found where there is one', async ({ page }) => {
  await openState(page, { path: '/check-key' });

  for (const [kind, rules] of [
    ['printedThrough', 'main h1 { position: relative; top: 2em }'],
    // Without the layer between a transparent bar and the page, they print through each other.
    ['printedThrough', '[data-moved] { display: none }'],
    ['covered', 'body::after { content: ""; position: fixed; inset: 0; z-index: 99 }'],
    ['cut', 'main h1 { width: 2em; overflow: hidden; white-space: nowrap }'],
    ['cut', 'main button { height: 4px; min-height: 0; padding: 0 }'],
    ['broken', 'main h1 { width: 1em }'],
    ['cut', 'footer { width: 130vw }'],
    ['sideways', 'html, body { overflow-x: visible } footer { width: 130vw }'],
  ] as const)
    await test.step(rules, async () => {
      await page.evaluate((css) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        document.adoptedStyleSheets = [sheet];
      }, rules);

      expect((await findFaults(page))[kind]).not.toEqual(NONE[kind]);
    });
});

/** Expects a page without faults in windows of these sizes, with its action in sight where it opens. */
async function expectInSizes(page: Page, sizes: Size[], action?: Locator) {
  await settled(page);
  for (const size of sizes) {
    const named = `${String(size.letters)} % in ${String(size.width)} × ${String(size.height)}`;
    await resize(page, size);
    // In a wide window it does not stick, and large letters may let the page scroll a little.
    const ratio = size.letters > 150 && size.width > 1000 ? 0.5 : 1;
    if (action) await expect(action, named).toBeInViewport({ ratio });
    expect.soft(await findFaults(page), named).toEqual(NONE);
  }
}

/** Gives the window a size, and shows what has the focus there, as the page does when it opens. */
async function resize(page: Page, { width, height, letters }: Size) {
  await page.setViewportSize({ width, height });
  await page.evaluate((percent) => {
    document.documentElement.style.fontSize = `${String(percent)}%`;
    const focused = document.activeElement;
    if (focused && focused !== document.body)
      (focused.closest('li') ?? focused).scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }, letters);
}
