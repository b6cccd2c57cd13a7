import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';
import { inBothWindows } from '../fixtures/windows.ts';

const NONE = 'Error: could not reset devices. No active subscriptions or licenses.';
const FAILED = 'Error: could not reset devices. Try again later.';
const DONE =
  "Success: device reset requested. Check your inbox. If you didn't receive the email, please check your spam inbox.";
const HINT = 'Nothing changes until you open that link.';
const INVALID = 'Please enter a valid email.';

async function send(page: Page, email: string) {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Reset devices' }).click();
}

function answer(page: Page) {
  return page.locator('#reset').locator('[role=status], [role=alert]');
}

test('an invalid address is rejected before anything is sent', async ({ page }) => {
  let calls = 0;
  await page.route('**/api/requestresetdevices', (route) => {
    calls += 1;
    return route.fulfill({ status: 200 });
  });
  await page.goto('/v5#reset');
  await expect(answer(page)).toHaveText(HINT);

  await inBothWindows(page, async () => {
    for (const email of ['', '   ', 'ada', 'ada@', 'a b@mail.example']) {
      await send(page, email);
      await expect(answer(page)).toHaveText(INVALID);
      await expect(page.getByLabel('Email address')).toHaveAttribute('aria-invalid', 'true');
    }
  });
  expect(calls).toBe(0);
});

test('an address without a licence is told so by the server; one that is too long is none', async ({ page }) => {
  await page.goto('/v5#reset');
  await send(page, 'unknown@mail.example');
  await expect(answer(page)).toHaveText(NONE);
  await expect(page.getByRole('button', { name: 'Reset devices' })).toBeEnabled();

  await page.getByLabel('Email address').pressSequentially('s');
  await expect(answer(page)).toHaveText(HINT);
  await send(page, `${'a'.repeat(250)}@mail.example`);

  await expect(answer(page)).toHaveText(INVALID);
});

test('while a request is on its way the button says Sending... and rests; the address travels trimmed', async ({
  page,
}) => {
  const bodies: unknown[] = [];
  let go = () => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/api/requestresetdevices', async (route) => {
    bodies.push(route.request().postDataJSON());
    await gate;
    await route.fulfill({ status: 200, body: 'OK' });
  });
  await page.goto('/v5#reset');
  // A field of type `email` would send another domain.
  await page.getByLabel('Email address').fill('  ada@straße.example ');
  await page.getByRole('button', { name: 'Reset devices' }).press('Enter');

  const sending = page.getByRole('button', { name: 'Sending...', exact: true });
  await expect(sending).toBeDisabled();
  await expect(sending).toBeFocused();
  await sending.press('Enter');
  await page.getByLabel('Email address').press('Enter');
  go();
  await expect(answer(page)).toHaveText(DONE);
  await expect(page.getByRole('button', { name: 'Sent', exact: true })).toBeDisabled();
  expect(bodies).toEqual([{ email: 'ada@straße.example' }]);
});

test('every other failure says to try again later, whatever the server says of it', async ({ page }) => {
  await page.goto('/v5#reset');

  await page.route('**/api/requestresetdevices', (route) => route.fulfill({ status: 400, body: INVALID }));
  await send(page, 'ada@mail.example');
  await expect(answer(page)).toHaveText(FAILED);

  await page.unroute('**/api/requestresetdevices');
  await page.route('**/api/requestresetdevices', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await send(page, 'ada@mail.example');
  await expect(answer(page)).toHaveText(FAILED);
  // The address is not wrong, so the field does not say so.
  await expect(page.getByLabel('Email address')).toHaveAttribute('aria-invalid', 'false');

  await page.unroute('**/api/requestresetdevices');
  await page.route('**/api/requestresetdevices', (route) => route.abort());
  await page.getByRole('button', { name: 'Reset devices' }).click();
  await expect(answer(page)).toHaveText(FAILED);
});

test('the answer moves nothing, the button included', async ({ page }) => {
  await page.goto('/v5#reset');
  // The page above the form may still be loading. An answer could only move what comes after the form.
  const distance = () =>
    page.evaluate(async () => {
      // A font that comes in between may break a line elsewhere. It may not have been asked for yet.
      await document.fonts.load('1rem "Sora Variable"');
      const topOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().top ?? NaN;
      return [topOf('#faq h2'), topOf('#reset button')].map((top) => Math.round(top - topOf('#reset h2')));
    });

  await inBothWindows(page, async () => {
    await page.reload();
    let tell: () => void = () => undefined;
    const isTold = new Promise<void>((resolve) => (tell = resolve));
    await page.route('**/api/requestresetdevices', async (route) => {
      await isTold;
      await route.continue();
    });
    const before = await distance();
    await send(page, 'unknown@mail.example');
    await expect(page.getByRole('button', { name: 'Sending...' })).toBeVisible();
    tell();
    await expect(answer(page)).toHaveText(NONE);
    // Under the mouse the button is lifted by a pixel.
    for (const [at, top] of (await distance()).entries()) expect(Math.abs(top - (before[at] ?? NaN))).toBeLessThan(2);
    await page.unroute('**/api/requestresetdevices');
    await send(page, '');
    await expect(answer(page)).toHaveText(INVALID);
  });
});
