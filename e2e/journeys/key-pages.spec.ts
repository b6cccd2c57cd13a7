import type { Page } from '@playwright/test';
import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';

const HOUR = 60 * 60_000;
const WHO = 'hwid=device-pages-1&zone=zone-1';

for (const { app, folder, name, other, steps } of [
  { app: 'main', folder: '', name: 'Arceus X', other: 'RosaverX', steps: 6 },
  { app: 'companion', folder: '/rosaverx', name: 'RosaverX', other: 'Arceus X', steps: 3 },
] as const) {
  test(`every key page of ${name} says whose it is, and names no other app`, async ({ page }) => {
    const tell = await tellRunState(page, { app });

    for (let step = 1; step <= steps; step++) {
      tell({ app, step });
      await page.goto(`${folder}/key-system-${String(step)}?${WHO}`);
      await expect(page.getByText(`Step ${String(step)} of ${String(steps)}`)).toBeVisible();
      await expectNamed(page, name, other);
    }

    await page.goto(`${folder}/key-system-bypass?${WHO}&r=KS_PROOF`);
    await expect(page.getByRole('heading', { level: 1, name: 'Bypass detected!' })).toBeVisible();
    await expectNamed(page, name, other);

    tell({ app, keyLeft: 20 * HOUR });
    await page.goto(`${folder}/key-system-getkey?${WHO}`);
    await expect(page.getByRole('dialog', { name: 'Key System completed!' })).toBeVisible();
    await expectNamed(page, name, other);
  });
}

for (const [step, word, name] of [
  [1, 'rinku', 'Rinku'],
  [2, 'workink', 'Work.ink'],
  [3, 'LootLabs', 'LootLabs'],
  [5, 'lootlabs', 'LootLabs'],
  [5, 'workink', 'Linkvertise'],
  [2, 'nobody', 'Linkvertise'],
] as const) {
  test(`step ${String(step)} opened with advertiser=${word} begins on ${name}, and its button leads there`, async ({ page }) => {
    await tellRunState(page, { step });
    await page.goto(`/key-system-${String(step)}?${WHO}&advertiser=${word}`);

    await expect(page.getByRole('radio', { name })).toBeChecked();
    const id = name.toLowerCase().replace('.', '');
    await expect(page.getByRole('link', { name: /^Complete/ })).toHaveAttribute('href', new RegExp(`advertiser=${id}&`));
  });
}

/** The app's name stands over the heading; the window of a key lies over it. */
async function expectNamed(page: Page, name: string, other: string): Promise<void> {
  const main = page.locator('main');
  await expect(main.getByText(name, { exact: true }).first()).toBeAttached();
  expect(await main.innerText()).not.toContain(other);
}
