import type { Page } from '@playwright/test';
import { enterQa, QA_ACCESS_KEY } from '../fixtures/enter-qa.ts';
import { expect, test } from '../fixtures/site.ts';

test.use({ settings: { QA_ACCESS_KEY } });

/** What the Chrome extension of Module Federation reads of a page. */
interface Federation {
  __GLOBAL_PLUGIN__: object[];
  moduleInfo: Record<string, { version: string; remotesInfo?: Record<string, { matchedVersion: string }> }>;
}

/**
 * Does to each page what the extension does before any other script: its plugin changes the address of each remote that
 * is registered under an overridden name.
 */
async function installExtension(page: Page) {
  await page.addInitScript(() => {
    const federation = { __GLOBAL_PLUGIN__: [] as object[], moduleInfo: {} };
    Object.defineProperty(globalThis, '__FEDERATION__', { value: federation, configurable: false, writable: true });
    federation.__GLOBAL_PLUGIN__.push({
      name: 'mf-chrome-devtools-override-remotes-plugin',
      beforeRegisterRemote(args: { remote: { name: string; alias?: string; entry?: string } }) {
        const { overrides = {} } = JSON.parse(localStorage.getItem('__MF_DEVTOOLS__') ?? '{}') as {
          overrides?: Record<string, string>;
        };
        const instead = overrides[args.remote.name] ?? overrides[args.remote.alias ?? ''];
        if (instead !== undefined) args.remote.entry = instead;
        return args;
      },
    });
  });
}

/** Clicks what the extension offers: it writes the overrides, and loads the page anew. */
async function override(page: Page, overrides: Record<string, string>) {
  await page.evaluate(
    (told) => localStorage.setItem('__MF_DEVTOOLS__', JSON.stringify({ overrides: told })),
    overrides,
  );
  await page.reload();
}

const readSnapshot = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { __FEDERATION__: Federation }).__FEDERATION__.moduleInfo);

test('QA sees names and versions in the extension of Module Federation, overrides one there, and takes it back', async ({
  page,
  site,
}) => {
  await installExtension(page);
  await enterQa(page);

  await page.goto('/encrypter');
  const unit = page.locator('[data-unit="tools"]');
  const built = (await unit.getAttribute('data-version')) ?? '';
  await site.publish('tools', '9.0.0');
  await page.reload();
  await expect(unit).toHaveAttribute('data-version', '9.0.0');

  await expect.poll(async () => Object.keys(await readSnapshot(page))).toContain('tools:9.0.0');
  const snapshot = await readSnapshot(page);
  expect(snapshot['shell']?.remotesInfo?.['tools']).toEqual({ matchedVersion: '9.0.0' });
  expect(snapshot['tools:9.0.0']).toMatchObject({
    version: '9.0.0',
    globalName: 'tools__9_0_0',
    publicPath: `${site.url}/releases/tools/9.0.0/`,
  });

  await override(page, { tools: `${site.url}/releases/tools/${built}/mf-manifest.json` });
  await expect(unit).toHaveAttribute('data-version', built);
  await expect(unit).toHaveAttribute('data-source', 'pin');
  await expect(page.getByRole('button', { name: `Pinned: tools ${built}` })).toBeVisible();

  await override(page, {});
  await expect(unit).toHaveAttribute('data-version', '9.0.0');
  await expect(unit).toHaveAttribute('data-source', 'stable');
  await site.withdraw('tools');
});
