import { MATRIX } from '../fixtures/tags.ts';
import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';
import { expectSound } from '../fixtures/sound.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const WHO = 'hwid=device-limits-1&zone=zone-1';
const LIMITED = { status: 429, headers: { 'retry-after': '60' } };

/** Writes a time like the page: `at 14:31`, with the day when it is not today. */
function timeOf(at: number, now = Date.now()): string {
  const then = new Date(at);
  const time = `at ${then.toTimeString().slice(0, 5)}`;
  if (then.toDateString() === new Date(now).toDateString()) return time;

  return `on ${then.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })} ${time}`;
}

/** Matches a text that ends with any time. */
const someTime = (words: string) => new RegExp(`${words} (on \\d+ \\w+ )?at\\s\\d\\d:\\d\\d\\.`);

for (const [step, when, time, told, tag] of [
  [2, 'at noon', [12, 0], { step: 2 }, undefined],
  [1, 'at noon', [12, 0], {}, MATRIX],
  [1, 'beside midnight', [23, 55], {}, undefined],
] as const) {
  test(
    `a limit on step ${String(step)} ${when} says until when; the button waits until then, and nothing jumps`,
    { tag: tag ?? [] },
    async ({ page }) => {
      // Far from the change of a minute: a slow page may take seconds off its clock's comparison.
      const now = new Date().setHours(time[0], time[1], 20, 0);
      await page.clock.install({ time: now });
      await tellRunState(page, told, now);
      const until = now + 10 * MINUTE;
      await page.goto(`/key-system-${String(step)}?${WHO}&e=KS_LIMIT&until=${new Date(until).toISOString()}`);

      const complete = page.getByRole('link', { name: 'Complete' });
      const notice = page.getByRole('status').filter({ hasText: 'Too many tries, too fast' });
      await expect(notice).toContainText(`Try again ${timeOf(until, now)}.`);
      const held = page.getByRole('link', { name: 'Try again in' });
      await expect(notice).toContainText('it’s no strike.');
      await expect(held.getByRole('timer')).toContainText(/0\d:\d\d/);
      await expect(held).toHaveAttribute('aria-disabled', 'true');
      await expect(held).not.toHaveAttribute('href', /./);
      await expectSound(page);
      const heightBefore = await notice.evaluate((element) => element.getBoundingClientRect().height);

      await page.clock.fastForward(10 * MINUTE + SECOND);
      await expect(complete).toHaveAttribute('href', /./);
      await expect(notice.getByText('You can keep going now.')).toBeVisible();
      await expect(notice.getByText(`Try again ${timeOf(until, now)}.`)).toBeHidden();
      expect(await notice.evaluate((element) => element.getBoundingClientRect().height)).toBe(heightBefore);
    },
  );
}

test('too many tries within an hour lead to a page that says when the next one may come', async ({ page, device }) => {
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /./);
  const start = `/api/keysystemv2?hwid=${device}&zone=z&advertiser=rinku&os=android&step=1`;
  const from = Date.now();
  // The first start does not count, because the browser has no cookie yet.
  for (let tries = 0; tries < 12 && !page.url().includes('KS_LIMIT'); tries++) await page.goto(start);

  await expect(page).toHaveURL(/e=KS_LIMIT&until=/);
  const until = Date.parse(new URL(page.url()).searchParams.get('until') ?? '');
  expect(until).toBeGreaterThanOrEqual(from + HOUR);
  expect(until).toBeLessThanOrEqual(Date.now() + HOUR);
  await expect(page.getByText(`Try again ${timeOf(until)}.`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Try again in' })).not.toHaveAttribute('href', /./);
});

test('a step asked about too often says until when and goes on by itself', async ({ page }) => {
  await page.clock.install();
  let isLimited = true;
  await tellRunState(page, { step: 2 });
  await page.route('**/api/keysystem/state?**', (route) => (isLimited ? route.fulfill(LIMITED) : route.fallback()));
  await page.goto(`/key-system-2?${WHO}`);

  const again = page.getByRole('button', { name: 'Try again' });
  await expect(page.getByText(someTime('Try again'))).toBeVisible();
  await expect(again).toBeDisabled();
  await expectSound(page);

  isLimited = false;
  await page.clock.fastForward(61 * SECOND);
  await expect(again).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /step=2/);
});

test('a captcha handed in too often says until when, asks nothing meanwhile, and then is solved again', async ({
  page,
  device,
}) => {
  await page.clock.install();
  let handedIn = 0;
  await page.route('**/api/v2/verify-captcha', (route) =>
    handedIn++ === 0 ? route.fulfill({ ...LIMITED, contentType: 'text/plain', body: 'false' }) : route.fallback(),
  );
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);

  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
  await expect(page.getByText('The captcha needs a short break.')).toBeVisible();
  await expect(page.getByText(someTime('Try again'))).toBeVisible();
  await expect(page.getByRole('link', { name: 'Complete' })).not.toHaveAttribute('href', /./);
  await expectSound(page);
  expect(handedIn).toBe(1);

  await page.clock.fastForward(61 * SECOND);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /./);
  expect(handedIn).toBe(2);
});

test('a captcha that is not given because of a limit says until when, and then begins by itself', async ({
  page,
  device,
}) => {
  await page.clock.install();
  let asked = 0;
  await page.route('**/api/captcha/challenge?**', (route) =>
    asked++ === 0 ? route.fulfill(LIMITED) : route.fallback(),
  );
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);

  await expect(page.getByText('The captcha needs a short break.')).toBeVisible();
  await expect(page.getByText(someTime('Try again'))).toBeVisible();
  await page.clock.fastForward(61 * SECOND);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /./);
  expect(asked).toBe(2);
});

test('a key that ended says when, on the page of the key and on the first step', async ({ page }) => {
  const ended = Date.now() - 1000;
  await tellRunState(page, { keyLeft: -1000 });
  await page.goto(`/key-system-getkey?${WHO}`);

  await expect(page).toHaveURL(/\/key-system-1\?/);
  await expect(page.getByText(`Your key ended ${timeOf(ended)}.`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your run' })).toContainText(`ended ${timeOf(ended)}`);
  await expectSound(page);
});
