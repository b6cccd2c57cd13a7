import type { Page } from '@playwright/test';
import { serveLossy, type LossyProxy } from '../fixtures/lossy-proxy.ts';
import { expect as expectSoon, test as base } from '../fixtures/site.ts';

const test = base.extend<{ lossy: LossyProxy }>({
  lossy: async ({ site }, use) => {
    const lossy = await serveLossy(site.url);
    await use(lossy);
    lossy.close();
  },
  baseURL: ({ lossy }, use) => use(lossy.url),
});

/** Within this time the page goes on, or says what to do. */
const expect = expectSoon.configure({ timeout: 20_000 });

const STATE = /^GET \/api\/keysystem\/state/;
const CHALLENGE = /^GET \/api\/captcha\/challenge/;

const complete = (page: Page) => page.getByRole('link', { name: 'Complete' });

for (const [name, what] of Object.entries({ 'the state of the run': STATE, 'the puzzle of the captcha': CHALLENGE }))
  test(`when the first answer with ${name} never comes, the page asks again by itself`, async ({
    page,
    lossy,
    device,
  }) => {
    lossy.lose(what, 1);
    await page.goto(`/key-system-1?hwid=${device}&zone=z1`);

    await expect(complete(page)).toHaveAttribute('href', /./);
    expect(lossy.countAsked()).toBe(2);
  });

test('a request for a mail that is never answered is sent once, and may have arrived', async ({ page, lossy }) => {
  lossy.lose(/requestresetdevices/);
  await page.goto('/v5#reset');
  await page.getByRole('textbox', { name: 'Email address' }).fill('someone@mail.example');
  await page.getByRole('button', { name: 'Reset devices' }).click();

  await expect(page.getByText('No answer yet. Check for our email before you try again.')).toBeVisible();
  expect(lossy.countAsked()).toBe(1);
});
