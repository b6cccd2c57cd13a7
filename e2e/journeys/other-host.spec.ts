import { serveHost } from '../fixtures/other-host/serve-host.ts';
import { expect, test } from '../fixtures/site.ts';

/** The parts of the federation's globals that a host fills. */
interface Federation {
  moduleInfo: Record<string, { globalName?: string; publicPath?: string; modules?: { moduleName: string }[] }>;
}

/** What a host fetches of a unit for one page. */
const FILES = [
  'mf-manifest',
  'remoteEntry',
  'static/js/remote',
  'static/js/check-key-page',
  'static/css/check-key-page',
];

for (const { how, lateMs = 0, preloads = false } of [
  { how: 'at once' },
  { how: 'with its module 400 ms late', lateMs: 400 },
  { how: 'with its module 3 s late', lateMs: 3000 },
  { how: 'with all its files fetched ahead', preloads: true },
])
  test(`another host, on a site of its own, loads a page of the key system from its manifest alone, ${how}`, async ({
    browser,
    site,
    request,
  }) => {
    const host = await serveHost();
    const html = await (await request.get(`${site.url}/check-key`)).text();
    const [, version = ''] = /"key-system":\{"version":"([^"]+)"/.exec(html) ?? [];
    const base = `/releases/key-system/${version}/`;
    const manifest = `${site.url}${base}mf-manifest.json`;

    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    const ofSite: string[] = [];
    page.on('requestfinished', (asked) => {
      if (asked.url().startsWith(site.url)) ofSite.push(asked.url().replace(`${site.url}${base}`, ''));
    });
    await page.route(/\/static\/js\/remote\./, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, lateMs));
      await route.continue();
    });

    await page.goto(
      `${host.url}/?${new URLSearchParams({ manifest, page: '/check-key', ...(preloads && { preloads: '' }) })}`,
    );
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const file of FILES) expect(ofSite, file).toContainEqual(expect.stringContaining(`${file}.`));
    const { moduleInfo } = await page.evaluate(
      () => (globalThis as unknown as { __FEDERATION__: Federation }).__FEDERATION__,
    );
    expect(moduleInfo[`key-system:${manifest}`]).toMatchObject({
      globalName: expect.stringMatching(/^key_system__/),
      publicPath: `${site.url}${base}`,
      modules: [{ moduleName: 'remote' }],
    });

    await page.getByRole('textbox').first().fill('this is no key');
    await expect(page.getByRole('textbox').first()).toHaveValue('this is no key');
    expect(problems).toEqual([]);

    await page.close();
    await host.close();
  });
