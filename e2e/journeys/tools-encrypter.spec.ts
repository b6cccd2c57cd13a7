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

test('the message is gone after three seconds, the result stays', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  await open(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await encrypt(page, SCRIPT);
  await expect(page.getByRole('status')).toHaveText('Encrypted script copied to clipboard!');

  await page.clock.runFor(2900);
  await expect(page.getByRole('status')).toHaveText('Encrypted script copied to clipboard!');
  await page.clock.runFor(200);
  await expect(page.getByRole('status')).toHaveText('');
  await expect(page.getByLabel('Encrypted script')).toHaveValue(ENCRYPTED);
});

test('without a clipboard the page says so, and the result is there to copy by hand', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined }));
  await open(page);
  await encrypt(page, SCRIPT);

  await expect(page.getByRole('status')).toHaveText('Clipboard not supported!');
  await expect(page.getByLabel('Encrypted script')).toHaveValue(ENCRYPTED);
});

test('a clipboard that refuses is as good as none', async ({ page }) => {
  await page.addInitScript(() => {
    Clipboard.prototype.writeText = () =>
      Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
  });
  await open(page);
  await encrypt(page, SCRIPT);

  await expect(page.getByRole('status')).toHaveText('Clipboard not supported!');
  await expect(page.getByLabel('Encrypted script')).toHaveValue(ENCRYPTED);
});

test('a text that is no Unicode is refused, and nothing of it is copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  await encrypt(page, SCRIPT);
  await expect(page.getByLabel('Encrypted script')).toHaveValue(ENCRYPTED);

  // A pasted text may contain half of a surrogate pair.
  await page.getByLabel('Your script').evaluate((field: HTMLTextAreaElement) => {
    field.select();
    field.setRangeText(String.fromCharCode(0xd83d));
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.getByRole('button', { name: 'Encrypt' }).click();

  await expect(page.getByRole('status')).toHaveText('Error encrypting text');
  await expect(page.getByLabel('Encrypted script')).toHaveValue('');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ENCRYPTED);
});

test('a change of the script removes the result, which is not of it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  await encrypt(page, SCRIPT);
  await expect(page.getByLabel('Encrypted script')).toHaveValue(ENCRYPTED);

  await page.getByLabel('Your script').press('End');
  await page.keyboard.type('x');
  await expect(page.getByLabel('Encrypted script')).toHaveValue('');
});

test('without a text there is nothing to encrypt', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Encrypt' }).click();

  await expect(page.getByLabel('Your script')).toBeFocused();
  await expect(page.getByRole('status')).toHaveText('');
});

test('the message moves nothing when it comes and goes', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  const result = page.getByLabel('Encrypted script');
  const before = await result.boundingBox();
  await encrypt(page, SCRIPT);
  await expect(page.getByRole('status')).toHaveText('Encrypted script copied to clipboard!');

  expect(await result.boundingBox()).toEqual(before);
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
