import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';

const PHRASES = [
  'The first AI executor',
  'Say it. It’s a script.',
  'Ask what a line does',
  'Let it hunt the bug',
  'In your own words',
  'Less typing, more play',
];

interface Frame {
  at: number;
  text: string;
}

test('a phrase appears out of random letters within 4000 ms, they change every 120 ms, and after 5000 ms the next phrase begins', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/v5');
  await expect(page.getByRole('button', { name: 'Stop the changing line' })).toBeVisible();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const frames = await recordFrames(page, 'h1 ~ div span[aria-hidden]:last-of-type');
  await page.clock.runFor(12_000);
  const seen = await frames();

  expect(new Set(seen.slice(1).map(({ at }, index) => Math.round(at - (seen[index]?.at ?? 0))))).toEqual(
    new Set([120]),
  );
  // The first phrase has begun before the recording. The second is recorded from its beginning to the beginning of the
  // third.
  const starts = seen.filter(
    ({ text }, index) => !PHRASES.includes(text) && PHRASES.includes(seen[index - 1]?.text ?? ''),
  );
  const [second, third] = starts;
  const settled = seen.find(({ at, text }) => at > (second?.at ?? Infinity) && PHRASES.includes(text));
  expect(Math.abs((third?.at ?? 0) - (second?.at ?? 0) - 5000)).toBeLessThan(120);
  expect(Math.abs((settled?.at ?? 0) - (second?.at ?? 0) - 4000)).toBeLessThan(120);
});

test('numbers count up once they are seen: the users of V5 within 900 ms, the community within 1200 ms', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 400 });
  await page.clock.install();
  await page.route('**/content/users.txt?*', (route) => route.fulfill({ body: '99999999\n1\n' }));
  await page.goto('/v5');
  const users = numberOf(page, '99,999,999+');
  const community = numberOf(page, '500k+');
  await expect(users).toHaveCount(1);
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await expect(community).not.toBeInViewport();

  const usersAt = await recordFrames(page, 'dd span[aria-hidden]:last-of-type', '99,999,999+');
  const communityAt = await recordFrames(page, 'dd span[aria-hidden]:last-of-type', '500k+');
  await community.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await users.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await expect(community).toBeInViewport();
  await untilCounting(page);
  await page.clock.runFor(1300);

  // Frames come every 16 ms.
  expect(lengthOf(await usersAt())).toBeGreaterThan(900 - 20);
  expect(lengthOf(await usersAt())).toBeLessThan(900 + 20);
  expect(lengthOf(await communityAt())).toBeGreaterThan(1200 - 20);
  expect(lengthOf(await communityAt())).toBeLessThan(1200 + 20);
});

test('a number of the first screen is never taken back, and a newer one comes without a count', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1100 });
  await page.clock.install();
  await page.route('**/content/users.txt?*', (route) => route.fulfill({ body: '2345\n1\n' }));
  await page.addInitScript(() => {
    const shown = new Set<string>();
    const look = () => document.querySelectorAll('dd').forEach((each) => shown.add(each.lastChild?.textContent ?? ''));
    new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true });
    Object.assign(window, { shown });
  });
  await page.goto('/v5');
  await expect(numberOf(page, '2345+')).toBeInViewport();
  await expect(numberOf(page, '2345+')).toHaveText('2345+');
  // The length of the longest count.
  await page.clock.runFor(1300);

  const shown = await page.evaluate(() => [...(window as unknown as { shown: Set<string> }).shown]);
  const numbers = shown.map((text) => /(?:[\d.,]+[k+%/5]*)$/.exec(text)?.[0]).filter((text) => text?.match(/[k+%/]/));
  expect(new Set(numbers)).toEqual(new Set(['500k+', '1000+', '2345+', '4.8/5', '4.7/5', '99.9%']));
});

function numberOf(page: Page, final: string) {
  return page.locator('dd').filter({ hasText: final }).locator('span[aria-hidden]').last();
}

/** Lets frames pass until the numbers count. The observer that starts them uses the browser's real clock. */
async function untilCounting(page: Page) {
  await expect(async () => {
    await page.clock.runFor(16);
    await expect(numberOf(page, '500k+')).toHaveText(/^[1-9]\d*k\+$/, { timeout: 100 });
    await expect(numberOf(page, '500k+')).not.toHaveText('500k+', { timeout: 100 });
  }).toPass({ intervals: [0] });
}

/** The time from the first to the last frame of a count, in milliseconds. */
function lengthOf(frames: Frame[]): number {
  return (frames.at(-1)?.at ?? 0) - (frames[0]?.at ?? 0);
}

/** Records each text of an element from now on, with its time by the page's clock. */
async function recordFrames(page: Page, selector: string, within?: string): Promise<() => Promise<Frame[]>> {
  const frames = await page.evaluateHandle(
    ([query, words]) => {
      const seen: Frame[] = [];
      const element = [...document.querySelectorAll(query)].find(
        (each) => !words || each.closest('dd')?.textContent.includes(words),
      );
      if (!element) throw new Error(`Nothing is ${query}`);
      new MutationObserver(() => seen.push({ at: performance.now(), text: element.textContent })).observe(element, {
        childList: true,
        characterData: true,
        subtree: true,
      });
      return seen;
    },
    [selector, within] as const,
  );
  return () => frames.jsonValue();
}
