import type { Page } from '@playwright/test';
import { MATRIX } from '../fixtures/tags.ts';
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

test('messages that make no sense leave the count as it is', { tag: MATRIX }, async ({ page }) => {
  await page.routeWebSocket(/.*/, (socket) => {
    socket.send('{"online":7}');
    for (const message of ['', 'nonsense', '[]', '{"online":"9"}', '{"online":null}']) socket.send(message);
  });
  await page.goto('/plans');

  await expect(page.getByText('7 online')).toBeVisible();
});

test('a lost socket is dialled again', async ({ page }) => {
  let connections = 0;
  await page.routeWebSocket(/.*/, (socket) => {
    connections += 1;
    if (connections === 1) void socket.close();
    else socket.send('{"online":8}');
  });
  await page.goto('/plans');

  await expect(page.getByText('8 online')).toBeVisible();
  expect(connections).toBe(2);
});

test('a page in the back/forward cache closes its socket, and opens one again when it is shown', async ({ page }) => {
  const closed: number[] = [];
  let connections = 0;
  await page.routeWebSocket(/.*/, (socket) => {
    connections += 1;
    const number = connections;
    socket.send(`{"online":${number}}`);
    socket.onClose(() => void closed.push(number));
  });
  await page.goto('/plans');
  await expect(page.getByText('1 online')).toBeVisible();

  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  await expect.poll(() => closed).toEqual([1]);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect(page.getByText('2 online')).toBeVisible();
});

test('the socket is closed when the navbar goes, and not dialled again', async ({ page }) => {
  await page.clock.install();
  const closed: number[] = [];
  let connections = 0;
  await page.routeWebSocket(/.*/, (socket) => {
    connections += 1;
    socket.send('{"online":7}');
    socket.onClose(() => void closed.push(connections));
  });
  await page.goto('/plans');
  await expect(page.getByText('7 online')).toBeVisible();

  // The frame never unmounts by itself. Here it throws an error, so React removes it.
  await page.evaluate(() => {
    Object.defineProperty(window, 'scrollY', {
      get: () => {
        throw new Error('broken by the test');
      },
    });
    dispatchEvent(new Event('scroll'));
  });
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect.poll(() => closed).toEqual([1]);
  await page.clock.runFor(120_000);
  expect(connections).toBe(1);
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
