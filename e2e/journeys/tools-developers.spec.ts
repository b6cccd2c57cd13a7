import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '../fixtures/site.ts';

const SAMPLES: [language: string, files: string[]][] = [
  ['TypeScript', ['key-client/key-client.ts', 'verify-key/verify-key.mjs']],
  ['Python', ['key-client/key_client.py', 'key-client/verify_key.py']],
  ['Lua', ['key-client/key-client.lua']],
];

interface Reference {
  paths: Record<string, unknown>;
  components: {
    schemas: {
      Problem: { properties: { code: { enum: string[] } } };
      KeyVerdict: { properties: { code: { enum: string[] } } };
    };
  };
}

test('an app’s author finds the page, and on it every call, status and code of the reference', async ({ page }) => {
  await page.goto('/check-key');
  await page.getByRole('main').getByRole('link', { name: 'For app authors' }).click();
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
    ...code.enum,
  ];
  for (const word of mentioned) await expect(main, word).toContainText(word);
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(mentioned.filter((word) => word.startsWith('/'))));
  await expect(main.getByRole('link', { name: 'The reference for programs (OpenAPI 3.1)' })).toHaveAttribute(
    'href',
    '/openapi.json',
  );

  await page.goto('/v5');
  await page.getByRole('contentinfo').getByRole('link', { name: 'For app authors' }).click();
  await expect(page).toHaveURL(/\/developers$/);
});

test('the samples on the page are the files that the tests run, and are copied whole', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/developers');

  for (const [language, files] of SAMPLES) {
    await page.getByRole('tab', { name: language }).click();
    for (const file of files) {
      const text = readFileSync(fileURLToPath(new URL(`../../samples/${file}`, import.meta.url)), 'utf8');
      const name = file.split('/')[1] ?? '';
      expect(await page.getByRole('region', { name, exact: true }).textContent(), file).toBe(text);
      await page.getByRole('button', { name: `Copy ${name}` }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), file).toBe(text);
    }
  }
});

test('code is read without scrolling sideways, on the smallest phone as well', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/developers');

  for (const [language] of SAMPLES) {
    await page.getByRole('tab', { name: language }).click();
    const tooWide = await page
      .locator('pre, html')
      .evaluateAll((boxes) =>
        boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent.slice(0, 80)),
      );
    expect(tooWide, language).toEqual([]);
  }
});

test('the type of a refusal leads to its explanation, and every code has one', async ({ page }) => {
  const refusal = (await (await page.request.get('/api/key?hwid=device-1234&zone=%3C')).json()) as {
    type: string;
    title: string;
  };
  await page.goto(refusal.type);

  const explained = page.getByRole('region', { name: 'KS_ZONE', exact: true });
  await expect(explained.getByRole('heading')).toBeInViewport();
  await expect(explained).toContainText(refusal.title);
  await expect(explained).toContainText('Status 400');
  await expect(explained).toHaveAttribute('data-asked', 'true');

  const { components } = (await (await page.request.get('/openapi.json')).json()) as Reference;
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(
    components.schemas.Problem.properties.code.enum,
  );
});
