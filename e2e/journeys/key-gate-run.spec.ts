import { finishTask } from '../fixtures/key-steps.ts';
import { MATRIX } from '../fixtures/tags.ts';
import { readKey } from '../fixtures/read-key.ts';
import { expect, test } from '../fixtures/site.ts';
import { verifyOffline } from '../fixtures/verify-offline.ts';

const SECOND_SERIES = 'Linkvertise';

for (const { advertiser, name, tag } of [
  { advertiser: 'linkvertise', name: 'Linkvertise', tag: MATRIX },
  { advertiser: 'rinku', name: 'Rinku', tag: MATRIX },
  { advertiser: 'lootlabs', name: 'LootLabs', tag: [] },
]) {
  test(
    `a run begun at the gate of ${name}, without a zone, comes to its key`,
    { tag },
    async ({ page, request, device }) => {
      await page.goto(`/gate?hwid=${device}&advertiser=${advertiser}&os=android_vng`);
      await finishTask(page, name);

      for (const step of [2, 3, 4, 5, 6]) {
        await expect(page).toHaveURL(
          new RegExp(`/key-system-${String(step)}\\?hwid=${device}&os=android_vng&advertiser=`),
        );
        await expect(page.getByText(`Step ${String(step)} of 6`)).toBeVisible();
        await expect(page.getByRole('region', { name: 'Your run' })).toContainText('Android (Vietnam)');
        const complete = page.getByRole('link', { name: /^Complete/ });
        await expect(complete).toHaveAttribute('href', /os=android_vng&step=/);
        const offered = await page.getByRole('radio', { name, exact: false }).count();
        const next = step !== 4 && offered === 1 ? name : SECOND_SERIES;
        await page.getByRole('radio', { name: next }).check();
        await complete.click();
        await finishTask(page, next);
      }

      await expect(page).toHaveURL(`/key-system-getkey?hwid=${device}&os=android_vng`);
      await expect(page.getByRole('dialog', { name: 'Key System completed!' })).toBeVisible();

      const jwks: unknown = await (await request.get('/.well-known/jwks.json')).json();
      for (const query of [`hwid=${device}`, `hwid=${device}&zone=a-zone-of-the-app`]) {
        const answer = await readKey(request, query);
        expect(answer.status).toBe('active');
        await verifyOffline(answer.key, jwks, { app: 'main', hwid: device });
      }
    },
  );
}

test('back from step 2 leads out through the gate, which leads no visitor forward again', async ({ page, device }) => {
  await page.goto('/plans');
  await page.goto(`/gate?hwid=${device}&advertiser=rinku`);
  await finishTask(page, 'Rinku');
  await expect(page.getByText('Step 2 of 6')).toBeVisible();

  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Rinku' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('link', { name: 'Continue to Rinku' })).toHaveAttribute('href', /./);
  await expect(page).toHaveURL(/\/gate\?/);
  await page.goBack();
  await expect(page).toHaveURL(/\/plans$/);
});
