import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { MATRIX } from '../fixtures/tags.ts';
import { emulateUnsupportedBrowser } from '../fixtures/oldest-browsers.ts';
import { findUnreadScript, findUnreadStyle } from '../fixtures/oldest-syntax.ts';
import { openState, PAGE_STATES } from '../fixtures/page-states.ts';
import { expect, test } from '../fixtures/site.ts';

/** What Altcha asks of texts of several lines alone, for a server of its own. The site has neither. */
const NEVER_ASKED = ['altcha.js: /(?<!\\r)\\n/'];

test('no script and no stylesheet has syntax that one of the oldest browsers does not read', () => {
  const files = readdirSync('dist', { recursive: true, encoding: 'utf8' });
  const findIn = (find: (text: string) => string[], names: string[]) =>
    names.flatMap((name) => {
      const found = find(readFileSync(`dist/${name}`, 'utf8'));
      return found.map((what) => `${basename(name).replace(/\.\w{8}\./, '.')}: ${what}`);
    });
  const scripts = files.filter((name) => /static\/js\/.*\.js$|remoteEntry.*\.js$/.test(name));
  const sheets = files.filter((name) => /static\/css\/.*\.css$/.test(name));

  expect(scripts.length).toBeGreaterThan(50);
  expect(findIn(findUnreadScript, scripts)).toEqual(NEVER_ASKED);
  expect(sheets.length).toBeGreaterThan(20);
  expect(findIn(findUnreadStyle, sheets)).toEqual([]);
});

// The documents' own scripts and styles are not all from the build.
test('no document has a script or styles that one of the oldest browsers does not read', async ({ page }) => {
  const texts = async (path: string, element: string) => {
    const html = await (await page.request.get(path)).text();
    return [...html.matchAll(new RegExp(`<${element}(?![^>]*json)[^>]*>([^]*?)</${element}>`, 'g'))].map(
      ([, text = '']) => text,
    );
  };
  for (const path of ['/v5', '/key-system-1?hwid=device-1234&zone=zone-1']) {
    const [scripts, styles] = [await texts(path, 'script'), await texts(path, 'style')];

    expect(scripts.flatMap(findUnreadScript)).toEqual([]);
    expect(styles.flatMap(findUnreadStyle)).toEqual([]);
    expect([scripts.length, styles.length].every(Boolean)).toBe(true);
  }
});

for (const script of [
  'class A { static { a(); } }',
  '/(?<=a)b/',
  '/(?i:a)/',
  '/(?<y>a)|(?<y>b)/',
  '/[a--b]/v',
  "RegExp('(?<!a)b')",
  "new RegExp('(?<=a)b')",
  'using a = b;',
])
  test(`the script ${script} is not read`, () => expect(findUnreadScript(script)).toHaveLength(1));

for (const style of [
  '@media not (max-width:9px){a{b:c}}',
  '@media (width>9px){a{b:c}}',
  '@media (min-width:9px) and (not (hover)){a{b:c}}',
  '@media (hover) or (scripting){a{b:c}}',
  'a:has(b),c{d:e}',
  ':is(a:has(b),c){d:e}',
  'a::-webkit-scrollbar,c{d:e}',
  'a{&:hover{b:c}}',
  'a{.b{c:d}}',
  'a{@media (hover){b:c}}',
])
  test(`the styles ${style} are not read`, () => expect(findUnreadStyle(style)).toHaveLength(1));

test('what all of the oldest browsers read is read', () => {
  const script = 'class A { #a = 1; static b = 2; c(d) { return #a in d; } } a ??= b?.c; /(?<a>x)[(?<=]\\(?<=/d; 1_0n;';
  const style =
    '@media not all and (min-width:9px),(hover) and (max-width:9px){a:has(b){c:d}}@supports not (a:b){a:is(b,c){d:e}}@container (width<=9px){a::placeholder,b:lang(c){d:e}}';

  expect(findUnreadScript(script)).toEqual([]);
  expect(findUnreadStyle(style)).toEqual([]);
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
