import type { Page } from '@playwright/test';
import { enterQa, QA_ACCESS_KEY } from '../fixtures/enter-qa.ts';
import { expect, test } from '../fixtures/site.ts';

const DEVICE = 'hwid=device-of-qa&zone=zone-1';

test.use({ settings: { QA_ACCESS_KEY } });

/** The version of a unit that a page has. */
function readVersion(page: Page, unit: string): Promise<string> {
  return page.evaluate((name) => {
    const text = document.getElementById('resolution')?.textContent ?? '';
    return (JSON.parse(text) as { units: Record<string, { version: string }> }).units[name]?.version ?? '';
  }, unit);
}

test('a player is never sent the code of QA, whatever keys they press and links they open', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));

  const opened = await page.goto('/plans');
  expect(await opened?.text()).not.toMatch(/\/qa\.|"qa"/);
  await page.keyboard.press('Alt+KeyQ');
  await page.goto('/plans?pin=marketing@9.9.9');

  await expect(page.getByText('This browser has no QA access')).toBeVisible();
  await expect(page).toHaveURL(/\/plans$/);
  expect(fetched.filter((path) => path.includes('/qa') || path.includes('fault'))).toEqual([]);
});

test('QA pins by a link, sees what is pinned, shares it, and leaves', async ({ page, browser, site }) => {
  await enterQa(page);
  const version = await readVersion(page, 'key-system');

  await page.goto(`/key-system-1?${DEVICE}&pin=key-system@${version}`);
  await expect(page).toHaveURL(`/key-system-1?${DEVICE}`);
  await expect(page.locator('[data-unit="key-system"]')).toHaveAttribute('data-source', 'pin');
  const badge = page.getByRole('button', { name: `Pinned: key-system ${version}` });
  await expect(badge).toBeVisible();

  await badge.focus();
  await page.keyboard.press('Alt+KeyQ');
  const panel = page.getByRole('dialog', { name: 'Versions in this browser' });
  await expect(panel.getByLabel('Version of key-system')).toHaveValue(version);
  await panel.getByRole('button', { name: 'Copy share link' }).click();
  const link = (await panel.getByRole('group', { name: /^Share link/ }).textContent()) ?? '';
  expect(link).not.toContain('device-of-qa');
  await page.keyboard.press('Escape');
  await expect(badge).toBeFocused();

  const friend = await browser.newPage({ baseURL: site.url });
  await friend.goto(link);
  await expect(friend.getByRole('button', { name: `Pinned: key-system ${version}` })).toBeVisible();
  await friend.close();

  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Leave' }).click();
  await expect(page.locator('[data-unit="key-system"]')).toHaveAttribute('data-source', 'stable');
  await expect(badge).toBeHidden();
});

test('a unit that QA takes offline fails in this browser alone, and comes back', async ({ page, browser, site }) => {
  await enterQa(page);
  await page.getByLabel('Simulated fault of marketing').selectOption('offline');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('button', { name: 'Simulated: marketing offline' })).toBeVisible();

  await page.goto('/plans', { waitUntil: 'commit' });
  await expect(page.getByText('Part of this page didn’t load.')).toBeVisible();
  await page.getByRole('link', { name: 'Resellers' }).first().click();
  await expect(page.getByRole('heading', { name: 'This page didn’t load' })).toBeVisible();
  const other = await browser.newPage({ baseURL: site.url });
  await other.goto('/plans');
  await expect(other.getByRole('heading', { name: 'Pick your plan' })).toBeVisible();
  await other.close();

  await page.goto('/plans?pin=none');
  await expect(page.getByRole('heading', { name: 'Pick your plan' })).toBeVisible();
});

for (const letters of [100, 200])
  test(`on a small phone with letters of ${String(letters)} % nothing at the lower edge covers another`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await enterQa(page);
    await page.getByLabel('Simulated fault of marketing').selectOption('offline');
    await page.getByRole('button', { name: 'Apply' }).click();

    const badge = page.getByRole('button', { name: 'Simulated: marketing offline' });
    await expect(badge).toBeVisible();
    const again = page.getByRole('button', { name: 'Try again' });
    const sticky = page.locator('[data-sticky-action] a');
    for (const [path, ...controls] of [
      ['/qa', page.getByRole('button', { name: 'Apply' }), page.getByRole('button', { name: 'Leave' })],
      ['/resellers', again],
      ['/v5', again, sticky],
    ] as const) {
      await page.goto(path, { waitUntil: 'commit' });
      for (const control of [badge, ...controls]) await expect(control).toBeVisible();
      await page.evaluate((percent) => {
        document.documentElement.style.fontSize = `${String(percent)}%`;
        window.scrollTo({ top: percent * 12, behavior: 'instant' });
      }, letters);
      for (const control of [badge, ...controls])
        await expect.poll(() => control.evaluate(isCovered), `${path} ${String(control)}`).toBe(false);
    }
  });

/** Whether another element lies over a part of this one, or the window ends in it. */
function isCovered(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const places = [top + 2, (top + bottom) / 2, bottom - 2].flatMap((y) =>
    [left + 24, (left + right) / 2, right - 24].map((x) => [x, y] as const),
  );
  return !places.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
}

test('a shell that QA takes offline takes the panel with it: both say how to undo it', async ({ page }) => {
  await enterQa(page);
  const fault = page.getByLabel('Simulated fault of shell');
  await expect(fault).toHaveAccessibleDescription(/pin=none/);
  await fault.selectOption('offline');
  await page.getByRole('button', { name: 'Apply' }).click();

  await expect(page.getByText('This page didn’t start.')).toBeVisible();
  await page.getByRole('link', { name: 'Leave them' }).click();
  await expect(page.getByRole('heading', { name: 'Versions in this browser' })).toBeVisible();
  await expect(page).toHaveURL(/\/qa$/);
});
