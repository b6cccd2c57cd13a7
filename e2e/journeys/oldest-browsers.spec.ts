import { readdirSync, readFileSync } from 'node:fs';
import { MATRIX } from '../fixtures/tags.ts';
import { emulateUnsupportedBrowser } from '../fixtures/oldest-browsers.ts';
import { openState, PAGE_STATES } from '../fixtures/page-states.ts';
import { expect, test } from '../fixtures/site.ts';

/** Safari 16.4 was the first to read a static block of a class, and a pattern that looks behind. */
const UNREAD_SCRIPT = /[{;}]static\{|\/[^/\n"]*\(\?<[=!]/;
/** Ranges in media queries came with Safari 16.4, and nested rules with 16.5. */
const UNREAD_STYLE = /@media[^{]*[<>]|[{;}]&/;

test('no script and no stylesheet of a page has syntax that one of the oldest browsers does not read', () => {
  const files = readdirSync('dist', { recursive: true, encoding: 'utf8' });
  const unread = (pattern: RegExp, names: string[]) =>
    names.filter((name) => pattern.test(readFileSync(`dist/${name}`, 'utf8')));
  const scripts = files.filter((name) => /static\/js\/.*\.js$|remoteEntry.*\.js$/.test(name));
  const sheets = files.filter((name) => /static\/css\/.*\.css$/.test(name));

  expect(scripts.length).toBeGreaterThan(50);
  expect(unread(UNREAD_SCRIPT, scripts)).toEqual([]);
  expect(sheets.length).toBeGreaterThan(20);
  expect(unread(UNREAD_STYLE, sheets)).toEqual([]);
});

test('its pages lack what one of the oldest browsers lacks', async ({ page }) => {
  await page.goto('/plans');

  expect(await page.evaluate(() => ['canParse' in URL, 'toSorted' in Array.prototype])).toEqual([false, false]);
  const styles = (await page.locator('style').allTextContents()).join();
  expect(styles).toContain('unknown-color-mix(');
  expect(styles).not.toMatch(/(?<!-)color-mix\(/);
});

for (const [name, state] of Object.entries(PAGE_STATES)) {
  if (state.isBroken) continue;

  test(`the oldest browsers show ${name}`, { tag: state.isTelling ? [] : MATRIX }, async ({ page }) => {
    const troubles: string[] = [];
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('request', (request) => {
      if (request.url().endsWith('/api/load-reports')) troubles.push(request.postData() ?? 'a report');
    });
    await openState(page, state);

    await expect(page.getByRole('button', { name: 'Retry', exact: true })).toBeHidden();
    expect(troubles).toEqual([]);
  });
}

test('without mixed colours the open menu hides the page, and the chosen advertiser is marked', async ({ page }) => {
  await page.goto('/key-system-1?hwid=device-1234&zone=zone-1');
  const edgeOf = (name: string) =>
    page
      .getByRole('radio', { name })
      .evaluate((radio) =>
        [getComputedStyle(radio), getComputedStyle(radio, '::before')]
          .map(({ borderColor, boxShadow, backgroundColor, outlineColor }) => [
            borderColor,
            boxShadow,
            backgroundColor,
            outlineColor,
          ])
          .join(),
      );
  await page.getByRole('radio', { name: 'Rinku' }).check();
  expect(await edgeOf('Rinku')).not.toBe(await edgeOf('LootLabs'));

  await page.getByLabel('Menu', { exact: true }).click();
  await expect(page.locator('header').first()).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
});

test.describe('a browser that is too old', () => {
  test.use({ isOldest: false });

  test('reads pages, follows links, is told why nothing else works, and blames no release', async ({ page, site }) => {
    await emulateUnsupportedBrowser(page.context());
    const reports: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/load-reports')) reports.push(request.postData());
    });
    await page.goto('/v5?hwid=device-1234&zone=zone-1', { waitUntil: 'commit' });

    await expect(page.getByText('This browser is too old for some of this site')).toBeVisible();
    await page.getByRole('link', { name: 'Plans', exact: true }).first().click();
    await expect(page).toHaveURL(`${site.url}/plans?hwid=device-1234&zone=zone-1`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pick your plan');
    await expect(page.locator('html')).not.toHaveAttribute('data-started');
    await expect(page.getByText('Some parts of this page don’t work yet')).toBeHidden();
    expect(reports).toEqual([]);
  });
});
