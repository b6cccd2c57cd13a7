import type { Page } from '@playwright/test';
import { settled } from '../fixtures/settled.ts';
import { expect, test } from '../fixtures/site.ts';
import { inBothWindows } from '../fixtures/windows.ts';

const SCRIPT = 'print("hello")';
const ENCRYPTED = 'ER8LCwYFQQcICRhCTkg=';

test('a script is encrypted, copied and shown, without any request', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  const requests: string[] = [];
  page.on('request', (request) => {
    // The shell's own files may still load. They are the same for every visitor.
    if (!new URL(request.url()).pathname.startsWith('/releases/')) requests.push(request.url());
  });

  await inBothWindows(page, async () => {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await encrypt(page, SCRIPT);
    await expect(page.getByRole('status')).toHaveText('Encrypted script copied to clipboard!');
    await expect(page.getByLabel('Encrypted script')).toHaveValue(ENCRYPTED);
    await expect(page.getByLabel('Encrypted script')).not.toBeEditable();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ENCRYPTED);
  });
  expect(requests).toEqual([]);
});

test('without a text there is nothing to encrypt', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Encrypt' }).click();

  await expect(page.getByLabel('Your script')).toBeFocused();
  await expect(page.getByRole('status')).toHaveText('');
});

test('the message moves nothing when it goes', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  const result = page.getByLabel('Encrypted script');
  const note = page.getByText('It’s a curtain');
  await encrypt(page, SCRIPT);
  await expect(page.getByRole('status')).toHaveText('Encrypted script copied to clipboard!');
  const before = [await result.boundingBox(), await note.boundingBox()];

  await expect(page.getByRole('status')).toHaveText('');
  expect([await result.boundingBox(), await note.boundingBox()]).toEqual(before);
});

async function open(page: Page) {
  await page.goto('/encrypter');
  await expect(page.getByRole('heading', { level: 1, name: 'Script encrypter' })).toBeVisible();
  await settled(page);
}

async function encrypt(page: Page, text: string) {
  await page.getByLabel('Your script').fill(text);
  await page.getByRole('button', { name: 'Encrypt' }).click();
}
