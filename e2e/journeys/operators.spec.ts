import { expect, test } from '../fixtures/site.ts';

test('an operator blocks a device while the server runs, and lets it in again', async ({
  page,
  request,
  site,
  device,
}) => {
  const query = `hwid=${device}&zone=zone-1`;
  const readCooldown = async () =>
    ((await (await request.get(`/api/keysystem/state?${query}&app=main`)).json()) as { cooldown: unknown }).cooldown;

  await page.goto(`/key-system-1?${query}`);
  await page.getByRole('link', { name: 'Complete' }).click();
  await expect(page).toHaveURL(/\/dev\/advertiser\//);
  expect(await readCooldown()).toBeNull();

  expect(await site.operate('device', 'block', device, '--reason', 'shares keys')).toEqual({
    code: 0,
    // Other journeys may have registered apps.
    out: expect.stringMatching(/^Blocked in main, companion,.* sandbox\b.* for good\.\n$/),
  });
  expect(await readCooldown()).toEqual({ until: null, reason: 'KS_BLOCKED' });
  expect(await site.operate('device', 'unblock', 'another-device')).toEqual({ code: 1, out: '' });

  expect(await site.operate('device', 'unblock', device)).toEqual({
    code: 0,
    out: expect.stringMatching(/^Unblocked in .*\bmain\b.*\bcompanion\b.*\.\n$/),
  });
  expect(await readCooldown()).toBeNull();
});

test('the audit is signed by the server’s first sweep and verified beside it', async ({ site }) => {
  await expect
    .poll(async () => JSON.parse((await site.operate('audit', 'verify', '--json')).out) as unknown)
    .toMatchObject({ ok: true, anchors: 1 });
});
