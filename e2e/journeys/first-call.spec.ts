import { hydrated, holdUnits } from '../fixtures/held-page.ts';
import { expect, test } from '../fixtures/site.ts';

test('the state of a run is preloaded with its page, and requested once', async ({ page, device }) => {
  const asked: string[] = [];
  page.on('request', (request) => void (request.url().includes('/api/keysystem/state') && asked.push(request.url())));
  await page.goto(`/key-system-1?hwid=${device}&zone=zone-1`);
  await expect(page.getByText(/^(Quick bot check|Finish the Linkvertise page)/)).toBeVisible();

  expect(asked).toHaveLength(1);
  const askedBy = await page.evaluate(
    (name) => performance.getEntriesByName(name).map((entry) => (entry as PerformanceResourceTiming).initiatorType),
    asked[0] ?? '',
  );
  expect(askedBy).not.toContain('fetch');
});

test('the state of a run is read while the code of its page is on its way', async ({ page, device }) => {
  await page.addInitScript(() => {
    const fetched: unknown[] = [];
    const { fetch } = globalThis;
    Object.assign(globalThis, { fetched });
    globalThis.fetch = (what, init) => {
      fetched.push(what);
      return fetch(what, init);
    };
  });
  const states = () =>
    page.evaluate(() =>
      (globalThis as unknown as { fetched: string[] }).fetched.filter((url) => url.includes('/state?')),
    );
  const goOn = await holdUnits(page);
  const preloaded = page.waitForResponse(/\/api\/keysystem\/state/);
  let startShell: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (startShell = resolve));
  await page.route(/\/shell\.[^/]*\.js/, (route) => started.then(() => route.continue()));
  await page.goto(`/key-system-1?hwid=${device}&zone=zone-1`, { waitUntil: 'commit' });
  await (await preloaded).finished();
  startShell();

  await expect.poll(states).toHaveLength(1);
  expect(await hydrated(page).count()).toBe(0);
  goOn();
  await expect(page.getByText(/^(Quick bot check|Finish the Linkvertise page)/)).toBeVisible();
  expect(await states()).toHaveLength(1);
});

test('a preloaded answer that no call has used is dropped after hydration', async ({ page }) => {
  const path = '/api/downloads';
  // This page asks for nothing by itself.
  await page.route('/check-key?again', async (route) => {
    const response = await route.fetch();
    const link = `<${path}>; rel=preload; as=fetch; crossorigin=anonymous`;
    await route.fulfill({ response, headers: { ...response.headers(), link } });
  });
  const preloaded = page.waitForResponse((response) => response.url().endsWith(path));
  await page.goto('/check-key?again');
  await (await preloaded).finished();
  await expect(hydrated(page)).toBeVisible();

  const asked = page.waitForRequest((request) => request.url().endsWith(path) && request.resourceType() === 'fetch');
  await page.getByRole('link', { name: 'Arceus X', exact: true }).click();
  await asked;
});
