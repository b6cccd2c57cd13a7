import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '../fixtures/site.ts';

const SAMPLES: [language: string, files: string[]][] = [
  ['TypeScript', ['typescript/key-client.ts', 'typescript/verify-key.mjs', 'webhooks/verify-webhook.ts']],
  ['Python', ['python/key_client.py', 'python/verify_key.py', 'webhooks/verify_webhook.py']],
  ['Lua', ['lua/key-client.lua', 'lua/verify-key.lua']],
  ['Kotlin', ['kotlin/KeyClient.kt', 'kotlin/KeyVerifier.kt']],
  ['Java', ['java/KeyClient.java', 'java/KeyVerifier.java']],
  ['Go', ['go/key_client.go', 'go/verify_key.go']],
];

/** The values of today: a later server may have more. */
interface OpenList {
  'x-extensible-enum': string[];
}

interface Reference {
  paths: Record<string, unknown>;
  components: {
    schemas: {
      Problem: { properties: { code: OpenList } };
      KeyVerdict: { properties: { code: OpenList } };
    };
  };
}

test('an app’s author finds the page, and on it every call, status and code of the reference', async ({ page }) => {
  await page.goto('/check-key');
  await page.getByRole('main').getByRole('link', { name: 'For developers' }).click();
  await expect(page).toHaveURL(/\/developers$/);
  const main = page.getByRole('main');

  const { paths, components } = (await (await page.request.get('/openapi.json')).json()) as Reference;
  const { code } = components.schemas.KeyVerdict.properties;
  const mentioned = [
    '/api/key',
    '/api/key/verify',
    '/.well-known/jwks.json',
    'active',
    'in_progress',
    'none',
    'blocked',
    'reason',
    'CLOCK_BACK',
    ...code['x-extensible-enum'],
  ];
  for (const word of mentioned) await expect(main, word).toContainText(word);
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(mentioned.filter((word) => word.startsWith('/'))));
  await expect(main.getByRole('link', { name: 'The reference for programs (OpenAPI 3.1)' })).toHaveAttribute(
    'href',
    '/openapi.json',
  );

  await page.goto('/v5');
  await page.getByRole('contentinfo').getByRole('link', { name: 'For developers' }).click();
  await expect(page).toHaveURL(/\/developers$/);
});

test('the samples on the page are the files that the tests run, and are copied whole', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/developers');
  const whole = page.getByRole('region', { name: 'Whole files' });

  for (const [language, files] of SAMPLES) {
    await whole.getByRole('tab', { name: language }).click();
    for (const file of files) {
      const text = readFileSync(fileURLToPath(new URL(`../../samples/${file}`, import.meta.url)), 'utf8');
      const name = file.split('/')[1] ?? '';
      await whole.getByRole('button', { name: `Show all of ${name}` }).click();
      expect(await whole.getByRole('group', { name, exact: true }).textContent(), file).toBe(text);
      await whole.getByRole('button', { name: `Copy ${name}` }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), file).toBe(text);
    }
  }
});

test('in a wide window the contents stay beside the text, and mark what is read', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/developers');
  const contents = page.getByRole('navigation', { name: 'On this page' });
  await expect(contents.getByRole('link', { name: 'How it works' })).toHaveAttribute('aria-current', 'location');

  await contents.getByRole('link', { name: 'Errors' }).click();
  await expect(page).toHaveURL(/#refusals$/);
  await expect(page.getByRole('heading', { name: 'Errors' })).toBeInViewport();
  await expect(contents.getByRole('link', { name: 'Errors' })).toHaveAttribute('aria-current', 'location');
  await expect(contents).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Contents' })).toBeHidden();
});

test('on a phone a first call runs within two screens of the start', async ({ page }) => {
  const viewport = { width: 360, height: 740 };
  await page.setViewportSize(viewport);
  await page.goto('/developers');
  const first = page.getByRole('button', { name: /^Run GET/ }).first();

  expect((await first.boundingBox())?.y).toBeLessThan(2 * viewport.height);
  await first.click();
  await expect(page.getByRole('region', { name: 'How it works' }).getByRole('status')).toHaveText(/^200 in/);
});

test('on a phone the contents open from everywhere, and a link closes them', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/developers');
  const open = page.getByRole('button', { name: 'Contents' });
  await expect(open).toBeInViewport({ ratio: 1 });
  await page.getByRole('heading', { name: 'Results' }).scrollIntoViewIfNeeded();
  await open.click();

  const sheet = page.getByRole('dialog', { name: 'On this page' });
  await sheet.getByRole('link', { name: 'Ask for the key' }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Ask for the key' })).toBeInViewport();

  await open.click();
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(open).toBeFocused();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('all errors are listed, without a search that does nothing', async ({ page }) => {
    await page.goto('/errors#KS_FAST', { waitUntil: 'commit' });

    await expect(page.getByRole('region', { name: 'Step finished too quickly' })).toBeInViewport();
    await expect(page.getByRole('searchbox')).toBeHidden();
    await expect(page.getByRole('main').getByRole('heading', { level: 3 }).last()).toHaveText(
      'The units wouldn’t fit together',
    );
  });

  test('no button of the reference runs or copies', async ({ page }) => {
    await page.goto('/developers', { waitUntil: 'commit' });

    const buttons = { name: /^(?:Run|Copy) / };
    await expect(page.getByRole('button', { ...buttons, includeHidden: true })).not.toHaveCount(0);
    await expect(page.getByRole('button', buttons)).toHaveCount(0);
  });
});
