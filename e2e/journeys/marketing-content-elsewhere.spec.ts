import { expect, test } from '../fixtures/site.ts';

/** The content files are in a public repository, on other hosts. */
test.use({
  settings: {
    CONTENT_URL: 'https://raw.host.example/team/status',
    CONTENT_API_URL: 'https://api.host.example/repos/team/status/contents',
  },
});

const OPEN = { 'access-control-allow-origin': '*' };

test('where a file of the repository does not answer, its contents API does', async ({ page }) => {
  await page.route('https://raw.host.example/**', (route) => route.fulfill({ status: 429, headers: OPEN }));
  await page.route('https://api.host.example/repos/team/status/contents/users.txt', (route) =>
    route.fulfill({
      headers: OPEN,
      json: { encoding: 'base64', content: `${Buffer.from('5678').toString('base64')}\n` },
    }),
  );
  await page.goto('/v5');

  await expect(page.locator('dd', { hasText: '5678+' })).toBeVisible();
});
