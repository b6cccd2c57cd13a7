import { earnKey } from '../fixtures/key-steps.ts';
import { expectStill, recordShifts } from '../fixtures/first-view.ts';
import { hold } from '../fixtures/held-page.ts';
import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';

const MINUTE = 60_000;
const WHO = 'hwid=device-moment-1&zone=zone-1';
const PROOF = /^Verified on this (phone|device), offline$/;

test('a key that was earned is checked in the page, and one tap leads with it to its check, also without a network', async ({
  page,
  context,
  device,
}) => {
  const code = page.waitForResponse(/check-key-page\.[^/]*\.js/);
  const key = await earnKey(page, device);
  const dialog = page.getByRole('dialog', { name: 'Key System completed!' });
  await expect(dialog.getByRole('link', { name: 'Launch' })).toBeFocused();
  const proof = dialog.getByRole('link', { name: PROOF });
  await expect(proof).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Launch' })).toBeFocused();

  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await (await code).finished();
  await context.setOffline(true);
  await proof.click();
  await expect(page).toHaveURL(/\/check-key\?[^#]*$/);
  await expect(page.getByLabel('Key', { exact: true })).toHaveValue(key);
  await expect(page.getByLabel('Device ID')).toHaveValue(device);
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('This key works');
  expect(sent.filter((request) => request.includes(key.slice(-40)))).toEqual([]);
});

const NEW = 24 * 60 * MINUTE - 1000;

for (const { what, keyLeft, motion, ends } of [
  { what: 'a new key is finished once, within 2.3 s', keyLeft: NEW, motion: 'no-preference', ends: 2300 },
  { what: 'a key that was earned before lies there', keyLeft: NEW - 5 * MINUTE, motion: 'no-preference', ends: 0 },
  { what: 'with reduced motion a new key lies there', keyLeft: NEW, motion: 'reduce', ends: 0 },
] as const) {
  test(what, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: motion });
    await tellRunState(page, { keyLeft });
    await page.goto(`/key-system-getkey?${WHO}`);
    const picture = page.locator('[data-new]');
    await expect(picture).toHaveCount(2);

    const times = await picture.evaluateAll((parts) =>
      parts.flatMap((part) =>
        part.getAnimations({ subtree: true }).map(({ effect }) => Number(effect?.getComputedTiming().endTime)),
      ),
    );
    expect(Math.max(0, ...times)).toBe(ends);
  });
}

test('the reminder of a key is a file for calendars', async ({ page }) => {
  await tellRunState(page, { keyLeft: NEW });
  await page.goto(`/key-system-getkey?${WHO}`);
  const reminder = page.getByRole('dialog').getByRole('link', { name: 'Tell me an hour before it ends' });

  const answer = await page.request.get((await reminder.getAttribute('href')) ?? '');
  expect(answer.headers()['content-type']).toBe('text/calendar; charset=utf-8');
  expect(await answer.text()).toContain('SUMMARY:Your Arceus X key ends in an hour');
});

test('the ticket appears without a shift of the page', async ({ page }) => {
  await recordShifts(page);
  await tellRunState(page, { keyLeft: 23 * 60 * MINUTE });
  const answer = await hold(page, /\/api\/keysystem\/state/);
  await page.goto(`/key-system-getkey?${WHO}`, { waitUntil: 'commit' });
  await expect(page.getByText('Looking up your key')).toBeVisible();
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  answer();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectStill(page);
});
