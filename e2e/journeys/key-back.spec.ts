import { expect, test } from '../fixtures/site.ts';

// Playwright turns the back/forward cache off.
test.use({
  launchOptions: [
    ({ launchOptions }, use) => use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    { scope: 'worker' },
  ],
});

interface Shown {
  path: string;
  persisted: boolean;
  /** Why the browser has not kept the page; null when it has. */
  reasons?: { reasons: { reason: string }[] } | null;
}

test('no page of a run keeps itself out of the back/forward cache', async ({ page, site }) => {
  await page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      const [entry] = performance.getEntriesByType('navigation') as (PerformanceEntry & {
        notRestoredReasons?: unknown;
      })[];
      const shown = { path: location.pathname, persisted, reasons: entry?.notRestoredReasons };
      const before = JSON.parse(sessionStorage.getItem('shown') ?? '[]') as unknown[];
      sessionStorage.setItem('shown', JSON.stringify([...before, shown]));
    });
  });
  const shown = async () => JSON.parse(await page.evaluate(() => sessionStorage.getItem('shown') ?? '[]')) as Shown[];

  for (const [seed, path] of [
    ['step-2', '/key-system-2'],
    ['companion-step-2', '/rosaverx/key-system-2'],
    ['active-key', '/key-system-getkey'],
  ] as const) {
    await page.goto((await site.seedPage(seed)).path);
    await page.evaluate(() => sessionStorage.removeItem('shown'));
    // Leaving at once would take the answer of this very call along.
    await page.evaluate(() => void setTimeout(() => location.assign('/dev/away')));
    await page.waitForURL('**/dev/away');
    await page.evaluate(() => void setTimeout(() => history.back()));
    await page.waitForURL(`**${path}?**`);

    await expect.poll(shown).toContainEqual(expect.objectContaining({ path }));
    const back = (await shown()).find((each) => each.path === path);
    // The browser masks reasons of its own, such as that it is driven by a test.
    const ours = (back?.reasons?.reasons ?? []).map(({ reason }) => reason).filter((reason) => reason !== 'masked');
    expect(ours, path).toEqual([]);
  }
});

test('a page that the browser has kept wakes the scheduler of React, whose message WebKit may have lost', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const posted = new Map<MessagePort, number>();
    const post = Reflect.get(MessagePort.prototype, 'postMessage') as (message: unknown) => void;
    MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
      posted.set(this, (posted.get(this) ?? 0) + 1);
      post.call(this, message);
    };
    Object.assign(window, { posted });
  });
  await page.goto('/plans');

  const woken = await page.evaluate(() => {
    const { posted } = window as unknown as { posted: Map<MessagePort, number> };
    const before = new Map(posted);
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    return [...posted]
      .filter(([port, count]) => count > (before.get(port) ?? 0))
      .map(([port]) => before.get(port) ?? 0);
  });
  // Only React has sent itself more than one message by then.
  expect(woken.filter((count) => count > 1)).toHaveLength(1);
});
