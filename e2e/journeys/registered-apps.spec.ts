import { expectStill, recordShifts } from '../fixtures/first-view.ts';
import { completeLink, finishStep } from '../fixtures/key-steps.ts';
import { tellRunState } from '../fixtures/run-state.ts';
import { readKey } from '../fixtures/read-key.ts';
import { expect, test } from '../fixtures/site.ts';
import { MATRIX } from '../fixtures/tags.ts';
import { verifyOffline } from '../fixtures/verify-offline.ts';

test('an operator registers an app, and a visitor walks its run to a key for it', async ({ page, site, device }) => {
  const id = `tool-${device
    .slice(-8)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '0')}`;
  const registered = await site.operate(
    ...['app', 'add', id, '--name', 'Script Tool', '--scheme', 'script-tool://key'],
    ...['--colour', 'green', '--steps', '2', '--advertisers', 'linkvertise,lootlabs'],
  );
  expect(registered.code).toBe(0);
  const query = `app=${id}&hwid=${device}&zone=zone-1`;

  await page.goto(`/apps/key-system-1?${query}`);
  await expect(page.locator('[data-run-strip]')).toContainText('Script Tool');
  await expect(page.getByRole('heading', { name: 'Key step 1 of 2' })).toBeVisible();
  await expect(page.locator('[data-accent=green]')).toBeAttached();
  await finishStep(page);

  await expect(page).toHaveURL(new RegExp(`/apps/key-system-2\\?app=${id}&`));
  await page.getByRole('radio', { name: 'LootLabs' }).check();
  await finishStep(page, 'LootLabs');

  await expect(page).toHaveURL(new RegExp(`/apps/key-system-getkey\\?app=${id}&`));
  const launch = page.getByRole('dialog').getByRole('link', { name: 'Launch' });
  await expect(launch).toHaveAttribute('href', 'script-tool://key');

  const jwks: unknown = await (await page.request.get('/.well-known/jwks.json')).json();
  const { key } = await readKey(page.request, query);
  await verifyOffline(key, jwks, { app: id, hwid: device });
  await expect(verifyOffline(key, jwks, { app: 'main', hwid: device })).rejects.toThrow('aud');

  await page.goto('/check-key');
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByLabel('Device ID').fill(device);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText(id);
  await page.getByRole('button', { name: 'Ask the server' }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('VALID');

  expect(await site.operate('app', 'remove', id)).toMatchObject({ code: 1 });
});

test('an author walks the sandbox on the live site', async ({ page, device }) => {
  const query = `app=sandbox&hwid=${device}&zone=zone-1`;

  await page.goto(`/apps/key-system-1?${query}`);
  await completeLink(page).click();
  await expect(page.getByRole('heading', { name: 'This is where the ad would be' })).toBeVisible();
  await page.getByRole('link', { name: 'Continue' }).click();

  await expect(page.getByRole('dialog').getByRole('link', { name: 'Launch' })).toBeVisible();
  const jwks: unknown = await (await page.request.get('/.well-known/jwks.json')).json();
  const { key } = await readKey(page.request, query);
  await verifyOffline(key, jwks, { app: 'sandbox', hwid: device });
});

for (const [width, height] of [
  [360, 740],
  [1440, 900],
] as const)
  test(
    `nothing moves when the state of an app arrives, in a window of ${String(width)} pixels`,
    { tag: width < 400 ? [] : MATRIX },
    async ({ page, device }) => {
      await page.setViewportSize({ width, height });
      await recordShifts(page);
      for (const { step, ...registered } of [
        { step: 1, of: 1, advertisers: ['sandbox'] },
        { step: 1, of: 9, advertisers: ['linkvertise', 'rinku', 'lootlabs'] },
        { step: 5, of: 9, advertisers: ['linkvertise', 'lootlabs'] },
      ]) {
        await page.unrouteAll();
        await tellRunState(page, { step, registered });
        await page.goto(`/apps/key-system-${String(step)}?app=tool&hwid=${device}&zone=zone-1`);
        await expect(
          page.getByRole('heading', { name: `Key step ${String(step)} of ${String(registered.of)}` }),
        ).toBeVisible();
        await expect(completeLink(page)).toHaveAttribute('href', /./);

        await expectStill(page);
      }
    },
  );
