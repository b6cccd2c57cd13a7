import type { Page } from '@playwright/test';
import { expectStill, recordShifts } from '../fixtures/first-view.ts';
import { MAIN, MATRIX } from '../fixtures/tags.ts';
import { readKey } from '../fixtures/read-key.ts';
import { expect, test } from '../fixtures/site.ts';
import { expectSound } from '../fixtures/sound.ts';
import { WINDOWS } from '../fixtures/windows.ts';

test.use({ viewport: WINDOWS.phone });

const MOMENT = String.raw`\d+\s\w+(\s\d{4})? at\s\d\d:\d\d`;

for (const { plan, days, tag } of [
  { plan: 'Basic', days: 7, tag: MATRIX },
  { plan: 'Plus', days: 30, tag: MAIN },
  { plan: 'Premium', days: 365, tag: MATRIX },
]) {
  test(
    `a player buys ${plan}, comes back to its page, and needs no key system for its days`,
    { tag },
    async ({ page, device }) => {
      await recordShifts(page);
      await choose(page, device, plan);
      await page.getByRole('button', { name: 'Pay', exact: true }).click();

      await expect(page).toHaveURL(new RegExp(String.raw`/success-${plan.toLowerCase()}\?ref=[\w-]+$`));
      await expect(heading(page)).toHaveText(`${plan} activated`);
      await expect(page.getByText(new RegExp(`^Your ${plan} plan is active until ${MOMENT}\\.$`))).toBeVisible();
      await expect(page.getByRole('link', { name: 'Launch' })).toBeInViewport({ ratio: 1 });
      await expectStill(page);
      await expectSound(page);

      for (const app of ['main', 'companion'])
        expect(await readKey(page.request, `${who(device)}&app=${app}`)).toMatchObject({ status: 'active' });
      const { plan: known, now } = await planOf(page, device);
      expect(Math.round(((known?.until ?? 0) - now) / 86_400_000)).toBe(days);

      const runs = page.getByText(new RegExp(`^Your ${plan} plan runs until ${MOMENT}\\.$`));
      await page.goto(`/key-system-1?${who(device)}`);
      await expect(runs).toBeVisible();
      await page.goto(`/plans?${who(device)}`);
      await expect(runs).toBeVisible();
      await expect(page.getByRole('link', { name: /^(Get|Renew with) (Basic|Plus|Premium)/ })).toHaveCount(
        days > 14 ? 0 : 3,
      );
      await expectStill(page);
      await expectSound(page);
    },
  );
}

test('a buyer who is declined and gives up is led to the plans again, for the same device, and nothing was bought', async ({
  page,
  device,
}) => {
  await choose(page, device, 'Plus');
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByRole('alert')).toContainText('declined');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await expect(page).toHaveURL(new RegExp(`/payment-failed\\?${who(device)}&cancelled$`));
  await expect(heading(page)).toHaveText('An error occurred during the payment!');
  await expect(page.getByText('Nothing was paid.')).toBeVisible();
  await page.getByRole('link', { name: 'Retry', exact: true }).click();
  await expect(page.getByText('This device has no plan yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Get Plus' })).toBeVisible();
  expect(await readKey(page.request, who(device))).toMatchObject({ status: 'none' });
});

const who = (device: string) => `hwid=${device}&zone=zone-1`;
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Chooses a plan. Ends on the provider's page. */
async function choose(page: Page, device: string, plan: string) {
  await page.goto(`/plans?${who(device)}`);
  await page.getByRole('link', { name: `Get ${plan}` }).click();
  await expect(page.getByText('TEST MODE – no money')).toBeVisible();
}

async function planOf(page: Page, device: string) {
  const response = await page.request.get(`/api/plan-status?hwid=${device}`);
  return (await response.json()) as { plan: { until: number } | null; now: number };
}
