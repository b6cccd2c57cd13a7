import type { Locator } from '@playwright/test';
import { issueCode } from '../fixtures/issue-code.ts';
import { expect, test } from '../fixtures/site.ts';
import { MATRIX } from '../fixtures/tags.ts';

test.use({ javaScriptEnabled: false });

test('landing pages, plans, resellers and privacy can be read, and their links lead on', async ({ page, site }) => {
  for (const [path, heading] of [
    ['/v5', 'Introducing Arceus X V5'],
    ['/neo', 'Arceus X NEO'],
    ['/rosaverx', 'RosaverX'],
    ['/plans', 'Pick your plan'],
    ['/resellers', 'Official approved resellers'],
    ['/privacy-policy', 'Privacy & Policy'],
  ] as const) {
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading);
  }
  await page.goto('/neo', { waitUntil: 'commit' });
  await page.getByRole('link', { name: /Vietnam/ }).click();
  await expect(page.getByText(/^The Vietnam build is for/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Download it' })).toHaveAttribute('href', '/download/neo/android_vng');
  await page.goto('/resellers', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'See all shops' }).click();
  await expect(page.getByRole('link', { name: 'Sample Official Store' })).toHaveAttribute('href', /^https:/);
  await page.goto('/v5', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Plans', exact: true }).first().click();
  await expect(page).toHaveURL(`${site.url}/plans`);
});

test('nothing is said of files that were not asked for', async ({ page }) => {
  await page.goto('/v5', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'Vietnam' })).toBeVisible();
  await expect(page.getByText('Updated').filter({ visible: true })).toHaveCount(0);
});

test('text that passes beneath the navbar does not show through it', { tag: MATRIX }, async ({ page }) => {
  await page.goto('/v5', { waitUntil: 'commit' });
  await expect(page.locator('header').first()).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await expect(page.locator('header').first()).not.toHaveCSS('border-bottom-color', 'rgba(0, 0, 0, 0)');
});

/** What stands on the first screen of a phone. */
async function expectOnFirstScreen(words: Locator, path: string) {
  const { top, bottom } = await words.first().evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().toJSON() as DOMRect;
  });
  // Below the navbar.
  expect(top, path).toBeGreaterThan(56);
  expect(bottom, path).toBeLessThan(740);
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('every page says on its first screen what it lacks', async ({ page }) => {
    for (const path of ['/redeem', '/check-key', '/encrypter', '/portfolio', '/v5', '/plans']) {
      await page.goto(path, { waitUntil: 'commit' });
      const words = page.locator('noscript .no-script');
      await expect(words, path).toHaveText(/^Without JavaScript, plans and most forms work/);
      await expectOnFirstScreen(words, path);
      const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
      const { y = 0, height = 0 } = (await words.boundingBox()) ?? {};
      expect(heading?.y, path).toBeGreaterThan(y + height);
    }
  });

  test('fields and buttons look disabled', { tag: MATRIX }, async ({ page }) => {
    for (const path of ['/check-key', '/encrypter']) {
      await page.goto(path, { waitUntil: 'commit' });
      const looks = await page.locator('main :is(button, input, textarea)').evaluateAll((controls) =>
        controls.map((control) => {
          const { opacity, cursor, borderTopStyle } = getComputedStyle(control);
          return [opacity, cursor, control.matches('button') || borderTopStyle];
        }),
      );
      expect(looks.length, path).toBeGreaterThan(2);
      for (const [opacity, cursor, border] of looks) {
        expect(opacity, path).toBe('0.55');
        expect(cursor, path).toBe('not-allowed');
        expect([true, 'dashed'], path).toContain(border);
      }
    }
  });

  test(
    'a run, its gate and its key do not load indefinitely, and say why',
    { tag: MATRIX },
    async ({ page, device }) => {
      const query = `?hwid=${device}&zone=zone-1`;
      for (const [path, says] of [
        ...['/key-system-1', '/rosaverx/key-system-1', '/gate', '/key-system-getkey', `/gate${query}`].map(
          (begun) => [begun, /^Your key needs JavaScript/] as const,
        ),
        [`/key-system-1${query}`, /^Step 1 checks you’re human, and that needs JavaScript/],
        [`/rosaverx/key-system-1${query}`, /^Step 1 checks you’re human, and that needs JavaScript/],
        [`/key-system-3${query}`, /^Without JavaScript this page can’t keep up with your run/],
        [`/rosaverx/key-system-3${query}`, /^Without JavaScript this page can’t keep up with your run/],
        [`/key-system-getkey${query}`, /^Without JavaScript this page can’t look up your key/],
      ] as const) {
        await page.goto(path, { waitUntil: 'commit' });
        const words = page.locator('main noscript p').getByText(says);
        await expect(words, path).toBeVisible();
        if (path.includes('?')) await expectOnFirstScreen(words, path);
        for (const text of ['Looking up', 'captcha starts', 'Loading', 'Your run', 'Device ID', 'Launch'])
          await expect(page.getByText(text).filter({ visible: true }), `${path}: ${text}`).toHaveCount(0);
      }
    },
  );

  test('the page of a mail’s link asks for the link, which the browser keeps to itself', async ({ page }) => {
    for (const path of ['/reset-devices', '/claim-plan']) {
      await page.goto(path, { waitUntil: 'commit' });
      await expect(page.getByRole('link', { name: 'Paste my link' })).toBeVisible();
      await expectOnFirstScreen(page.getByText(/^Without JavaScript, the end of your link/), path);
    }
  });

  test('the menu and the questions unfold, and the language of a page changes with its device', async ({ page }) => {
    await page.goto('/v5?hwid=device-1&zone=z', { waitUntil: 'commit' });
    const menu = page.getByRole('navigation', { name: 'Main' });
    await expect(menu.getByRole('link', { name: 'Plans' })).toBeHidden();
    await page.getByLabel('Menu', { exact: true }).click();
    await expect(menu.getByRole('link', { name: 'Plans' })).toBeVisible();
    await page.getByLabel('Menu', { exact: true }).click();
    await expect(menu.getByRole('link', { name: 'Plans' })).toBeHidden();

    await page.locator('#faq summary').first().click();
    await expect(page.locator('#faq details').first().locator('p')).toBeVisible();

    await page.getByRole('contentinfo').getByRole('link', { name: 'Tiếng Việt' }).click();
    await expect(page).toHaveURL('/v5?lang=vi&hwid=device-1&zone=z');
    await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
  });

  test('a plan is bought, its devices are reset and added again by links of mails, and a code is redeemed', async ({
    page,
    site,
    device,
  }) => {
    const email = `${device}@mail.example`;
    await page.goto(`/plans?hwid=${device}&zone=zone-1`, { waitUntil: 'commit' });
    await page.getByRole('link', { name: 'Get Plus' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: /^Pay/ }).first().click();
    await expect(page).toHaveURL(/\/success-plus\?ref=/);
    await expect(page.getByText('30 days without key steps, starting when your payment clears.')).toBeVisible();
    await expect(page.getByText('Starting Plus…')).toBeHidden();

    await page.goto('/v5', { waitUntil: 'commit' });
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Reset devices' }).click();
    await expect(page.getByText(/^Success: device reset requested\./)).toBeVisible();
    const link = await site.readMailedLink(email, '/reset-devices');
    await page.goto(link, { waitUntil: 'commit' });
    await page.getByRole('link', { name: 'Paste my link' }).click();
    await page.getByLabel('The link in our email').fill(link);
    await page.getByRole('button', { name: 'Open my link' }).click();
    await expect(page.getByRole('heading', { name: 'Remove 1 device?' })).toBeVisible();
    await page.getByRole('button', { name: 'Reset devices' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reset succeeded! Your devices have been reset');

    await page.goto(`/plans?hwid=${device}&zone=zone-1`, { waitUntil: 'commit' });
    await page.getByRole('link', { name: 'I have a plan' }).click();
    await expect(page.getByLabel('Device ID')).toHaveValue(device);
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByText(/^If this address has a plan/)).toBeVisible();
    const claim = await site.readMailedLink(email, '/claim-plan');
    await page.goto(claim, { waitUntil: 'commit' });
    await page.getByRole('link', { name: 'Paste my link' }).click();
    await page.getByLabel('The link in our email').fill(claim);
    await page.getByRole('button', { name: 'Open my link' }).click();
    await page.getByRole('button', { name: 'Add this device' }).click();
    await expect(page.getByRole('heading', { name: 'Your plan is on this device' })).toBeVisible();

    await page.goto(`/redeem?hwid=${device}&zone=zone-1`, { waitUntil: 'commit' });
    await page.getByLabel('Code').fill('no-such-code');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Redeem' }).click();
    await expect(page.getByText(/^That code doesn’t work\./)).toBeVisible();
    await expect(page.getByLabel('Device ID')).toHaveValue(device);
    await page.getByLabel('Code').fill(await issueCode(site));
    await page.getByRole('button', { name: 'Redeem' }).click();
    await expect(page.getByRole('heading', { name: 'Plus is on' })).toBeVisible();
  });

  test('files that are looked for with JavaScript have a link', async ({ page }) => {
    for (const [path, href, isWholeCard] of [
      ['/rosaverx', '/download/companion/android', true],
      ['/v5', '/download/v5/ios', false],
    ] as const) {
      await page.goto(path, { waitUntil: 'commit' });
      const link = page.locator(`[id^="download"] a[href="${href}"]`).filter({ visible: true });
      await expect(link, path).toBeVisible();
      const [inner, outer] = [await link.boundingBox(), await link.locator('xpath=..').boundingBox()];
      if (isWholeCard) expect(inner).toMatchObject({ x: outer?.x, width: outer?.width, height: outer?.height });
      await expect(page.getByText('Looking for').filter({ visible: true }), path).toHaveCount(0);
    }
  });

  test('a page that is not rendered ahead says so, and leads home', async ({ page, site }) => {
    await page.goto('/qa', { waitUntil: 'commit' });
    const words = page.locator('noscript p');
    await expect(words).toHaveText(/^This page needs JavaScript\./);
    expect(await words.evaluate((p) => parseFloat(getComputedStyle(p).paddingLeft))).toBeGreaterThan(8);
    await page.locator('noscript a').click();
    await expect(page).toHaveURL(`${site.url}/`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Arceus X V5/);
  });
});
