import { expect, test } from '../fixtures/site.ts';
import { inBothWindows } from '../fixtures/windows.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('the counts are requested past every cache, and replace the defaults', async ({ page }) => {
  const asked = page.waitForRequest(/\/content\/users\.txt\?t=\d{13}$/);
  await page.route('**/content/users.txt?*', (route) =>
    route.fulfill({ body: 'V5 users: 2,345+\nNEO keys: 7654321\n' }),
  );
  await page.goto('/v5');
  await asked;

  await expect(page.locator('dd', { hasText: '2345+' })).toBeVisible();
  await page.goto('/neo');
  await expect(page.locator('dd', { hasText: '7.6M' })).toBeVisible();
});

test('where the file does not answer, the contents API does', async ({ page }) => {
  await page.route('**/content/users.txt?*', (route) => route.fulfill({ status: 503 }));
  await page.route('**/content-api/users.txt', (route) => route.fulfill({ json: { content: base64('4321\n1') } }));
  await page.goto('/v5');

  await expect(page.locator('dd', { hasText: '4321+' })).toBeVisible();
});

test('when both fail, the defaults are shown, and nothing is said', async ({ page }) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.route(/\/content(-api)?\/users\.txt/, (route) => route.fulfill({ status: 503 }));
  const failed = page.waitForResponse('**/content-api/users.txt');
  await page.goto('/v5');
  await failed;

  await expect(page.locator('dd', { hasText: '1000+' })).toBeVisible();
  // The browser itself reports each answer that is an error.
  expect(logged.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
});

test('the trailer is the operator’s, as a player that begins on a click', async ({ page }) => {
  await page.route('**/content/video.txt', (route) =>
    route.fulfill({ body: ' https://www.youtube.com/watch?v=abcdefghi12&t=3 \n' }),
  );
  await page.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: 'playing' }),
  );
  const video = page.waitForResponse('**/content/video.txt');
  await page.goto('/v5');
  await video;
  await expect(page.locator('iframe')).toHaveCount(0);
  await page.getByRole('link', { name: /^Play the video: V5 trailer/ }).click();

  await expect(page.locator('iframe')).toHaveAttribute(
    'src',
    'https://www.youtube-nocookie.com/embed/abcdefghi12?autoplay=1&wmode=transparent&rel=0&modestbranding=1',
  );
});

test('the short clip of NEO is the operator’s, too, and plays upright', async ({ page }) => {
  await page.route('**/content/short.txt', (route) =>
    route.fulfill({ body: 'https://www.tiktok.com/@arceusx/video/7123456789012345678\n' }),
  );
  await page.route('https://www.tiktok.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: 'playing' }),
  );
  const link = page.waitForResponse('**/content/short.txt');
  await page.goto('/neo');
  await link;
  await page.getByRole('link', { name: /^Play the video: NEO in short/ }).click();
  const player = page.locator('iframe');
  await expect(player).toHaveAttribute('src', /^https:\/\/www\.tiktok\.com\/player\/v1\/7123456789012345678\?/);

  await inBothWindows(page, async () => {
    const { width, height } = (await player.boundingBox()) ?? { width: 1, height: 0 };
    expect(height / width).toBeCloseTo(16 / 9, 1);
  });
});

test('a video link that cannot be had is logged, and the default plays', async ({ page }) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.route('**/content/video.txt', (route) =>
    route.fulfill({ body: 'https://evil.example/watch?v=abcdefghi12' }),
  );
  await page.goto('/v5');

  await expect.poll(() => logged.length).toBe(1);
  await expect(page.getByRole('link', { name: /^Play the video: V5 trailer/ })).toBeVisible();
});
