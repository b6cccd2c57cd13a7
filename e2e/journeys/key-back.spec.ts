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
