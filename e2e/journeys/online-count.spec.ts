import type { Page, WebSocketRoute } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';

test('the count of visitors follows who comes and goes', async ({ page, context }) => {
  await page.goto('/plans');
  const before = await onlineOf(page);

  const second = await context.newPage();
  await second.goto('/plans');
  await expect(page.getByText(`${before + 1} online`)).toBeVisible();
  await second.close();
  await expect(page.getByText(`${before} online`)).toBeVisible();
});

test('every landing page shows the count', async ({ page }) => {
  for (const path of ['/index', '/v5', '/neo', '/arceusxv3', '/rosaverx']) {
    await page.goto(path);
    await expect(page.getByText(/^\d+ online$/), path).toBeVisible();
  }
});

test('the dot beside the count is green only while the server tells it', async ({ page }) => {
  // Who dials again hears nothing.
  let first: WebSocketRoute | undefined;
  await page.routeWebSocket(/.*/, (socket) => {
    if (!first) socket.send('{"online":7}');
    first ??= socket;
  });
  await page.goto('/plans');
  const count = page.locator('[data-live]');
  await expect(count).toHaveAttribute('data-live', 'true');

  await first?.close();
  await expect(count).toHaveAttribute('data-live', 'false');
  await expect(count).toHaveText('7 online');
});

test('the socket asks for nothing and sends nothing', async ({ page }) => {
  const dialled: string[] = [];
  const sent: unknown[] = [];
  await page.routeWebSocket(/.*/, (socket) => {
    dialled.push(socket.url());
    socket.onMessage((message) => void sent.push(message));
    for (const message of ['{"online":7}', 'nonsense', '{"online":8}']) socket.send(message);
  });
  await page.goto('/v5?hwid=device-1&zone=z');
  await expect(page.getByText('8 online')).toBeVisible();
  await page.getByRole('link', { name: 'Learn more about NEO' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Arceus X NEO' })).toBeVisible();
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect.poll(() => dialled.length).toBe(2);

  expect(sent).toEqual([]);
  expect(dialled.map((url) => new URL(url).pathname + new URL(url).search)).toEqual(['/', '/']);
});

async function onlineOf(page: Page): Promise<number> {
  const words = await page.getByText(/\d+ online/).textContent();
  return Number(words?.match(/\d+/)?.[0]);
}
