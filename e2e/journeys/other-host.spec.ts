import type { Page } from '@playwright/test';
import { serveHost } from '../hosts/serve-host.ts';
import { expect, test } from '../fixtures/site.ts';
import { MATRIX } from '../fixtures/tags.ts';

const FIRST_STEP = `/key-system-1?${new URLSearchParams({ hwid: 'OTHERHOST-0001-0002-0003-000400050006', zone: 'zone-of-another-host' })}`;

const WAYS = [
  { how: 'at once' },
  { how: 'with its module 400 ms late', lateMs: 400 },
  { how: 'with its module 3 s late', lateMs: 3000, isFurther: true },
  { how: 'with all its files fetched ahead', query: 'preloads' },
  { how: 'with all its files fetched ahead, its module 400 ms late', query: 'preloads', lateMs: 400, isFurther: true },
  { how: 'twice on one page', query: 'places=2', places: 2, isFurther: true },
];

const MISSING = [
  { what: 'module', file: /\/static\/js\/remote\./ },
  { what: 'page', file: /\/static\/js\/check-key-page\./, isFurther: true },
  { what: 'style sheet of the page', file: /\/static\/css\/check-key-page\./, isFurther: true },
  { what: 'style sheet of the site', file: /\/static\/css\/site-styles\./ },
];

for (const builder of ['bare', 'webpack', 'webpack-enhanced', 'rspack', 'rsbuild', 'vite']) {
  const details = builder === 'bare' ? {} : { tag: MATRIX };
  /** webpack's own plugin knows no manifest, and nothing that fetches ahead. */
  const hasRuntime = builder !== 'webpack';

  test.describe(`a host of another team, built with ${builder},`, details, () => {
    for (const { how, lateMs = 0, query = '', places = 1, isFurther } of WAYS.filter(
      (way) => hasRuntime || way.query !== 'preloads',
    ))
      test(`shows a page of the key system ${how}, with its styles`, further(isFurther), async ({ browser, site }) => {
        const host = await serveHost(builder, site.url);
        const page = await browser.newPage();
        const problems = noteProblems(page);
        const hashed = await noteIntegrity(page);
        await page.route(/\/static\/js\/remote\./, (route) => void setTimeout(() => void route.continue(), lateMs));

        await page.goto(`${host.url}/check-key?${query}`);
        const buttons = page.getByRole('button', { name: 'Show' });
        await expect(buttons).toHaveCount(places);
        // The last first: a page takes the place of its button.
        for (let place = places; place > 0; place--) await buttons.nth(place - 1).click();
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(places);
        await expectStyled(page);
        expect(await hashed()).toEqual(
          expect.arrayContaining(
            ['js/remote', 'js/check-key-page', 'css/check-key-page'].map((file) =>
              expect.stringContaining(`${host.release}/static/${file}.`),
            ),
          ),
        );
        await page.getByRole('textbox').first().fill('this is no key');
        await expect(page.getByRole('textbox').first()).toHaveValue('this is no key');
        expect(problems).toEqual([]);

        await page.close();
        await host.close();
      });

    test('shows the first step of a key', async ({ browser, site }) => {
      const host = await serveHost(builder, site.url);
      const page = await browser.newPage();
      const problems = noteProblems(page);

      await page.goto(host.url + FIRST_STEP);
      await page.getByRole('button', { name: 'Show' }).click();
      await expect(page.getByText('Step 1 of 6')).toBeVisible();
      await expectStyled(page);
      expect(problems).toEqual([]);

      await page.close();
      await host.close();
    });

    for (const { what, file, isFurther } of MISSING)
      test(
        `says which chunk is missing when the ${what} is, and shows the page at the next try`,
        further(isFurther),
        async ({ browser, site }) => {
          const host = await serveHost(builder, site.url);
          const page = await browser.newPage();
          await page.route(file, (route) => route.fulfill({ status: 404 }), { times: 1 });

          await page.goto(`${host.url}/check-key`);
          await page.getByRole('button', { name: 'Show' }).click();
          await expect(page.getByRole('alert')).toContainText(
            /^ChunkLoadError: Loading (?:css )?chunk \d+ failed.* type: error$/s,
          );
          await page.getByRole('button', { name: 'Try again' }).click();
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await expectStyled(page);

          await page.close();
          await host.close();
        },
      );
  });
}

/** `npm test` plays one of a kind. */
function further(isFurther = false): { tag: string[] } {
  return { tag: isFurther ? [MATRIX] : [] };
}

function noteProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // What a page never needs of all that is fetched ahead is no problem, though the browser warns of it.
    if (message.type() === 'error' || message.text().includes('integrity')) problems.push(message.text());
  });
  return problems;
}

/** Notes which scripts and style sheets the browser compares with a hash. A script leaves the page once it has run. */
async function noteIntegrity(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const hashed: string[] = [];
    Object.assign(globalThis, { hashed });
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) {
          if (node instanceof HTMLScriptElement && node.integrity) hashed.push(node.src);
          if (node instanceof HTMLLinkElement && node.integrity) hashed.push(node.href);
        }
    }).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { hashed: string[] }).hashed);
}

/** The page has the site's colours and the unit's; the host has none of it. */
async function expectStyled(page: Page): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 }).first();
  await expect(heading).toHaveCSS('box-sizing', 'border-box');
  await expect(heading).toHaveCSS('margin-top', '0px');
  await expect(page.getByRole('main').first().locator('..')).toHaveCSS('background-color', 'rgb(10, 12, 18)');
  await expect(page.getByRole('main').first()).toHaveCSS('max-width', '1120px');

  const ofHost = page.getByRole('heading', { name: 'Another host' });
  await expect(ofHost).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(ofHost).toHaveCSS('box-sizing', 'content-box');
  await expect(page.locator('body')).toHaveCSS('margin-top', '8px');
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--bg'))).toBe('');
}
