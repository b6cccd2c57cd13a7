import { tellRunState } from '../fixtures/run-state.ts';
import { expect, test } from '../fixtures/site.ts';
import { expectSound } from '../fixtures/sound.ts';

const MINUTE = 60_000;
const WHO = 'hwid=device-states-1&zone=zone-1';
const ONCE = 'This counts once. Three in 24 hours mean a wait of 15 minutes. Five mean a wait of 24 hours.';
const TWICE = 'This counts twice. Three in 24 hours mean a wait of 15 minutes. Five mean a wait of 24 hours.';
const NEVER = 'This does not count against you.';

for (const [code, what, counts] of [
  ['KS_FAST', 'You came back too early', ONCE],
  ['KS_PROOF', 'The advertiser did not confirm your step', ONCE],
  ['KS_REUSE', 'This confirmation was already used', TWICE],
  ['KS_TICKET', 'We don’t recognise this link', NEVER],
] as const) {
  test(`a return refused with ${code} says why and what it counts`, async ({ page }) => {
    await tellRunState(page, code === 'KS_REUSE' ? {} : { step: 3 });
    await page.goto(`/key-system-bypass?${WHO}&r=${code}`);

    await expect(page.getByRole('heading', { level: 1, name: 'Bypass detected!' })).toBeVisible();
    await expect(
      page.getByText('Continued bypass attempts may permanently remove access on this device.'),
    ).toBeVisible();
    await expect(page.getByText(what)).toBeVisible();
    await expect(page.getByText(counts)).toBeVisible();
    await expect(page.getByText('Your run is safe. It goes on at step 3.')).toHaveCount(code === 'KS_REUSE' ? 0 : 1);
    await expectSound(page);
  });
}

for (const [code, what] of [
  ['KS_EXPIRED', 'That took too long'],
  ['KS_PROVIDER_DOWN', 'The advertiser did not answer'],
  ['KS_LIMIT', 'Too many tries in a short time'],
  ['KS_CAPTCHA', 'The captcha is too old'],
  ['KS_UNFINISHED', 'The step at the advertiser is not finished'],
] as const) {
  test(`a step led back to with ${code} says why, and that it does not count`, async ({ page }) => {
    await tellRunState(page, { step: 2 });
    await page.goto(`/key-system-2?${WHO}&e=${code}`);

    await expect(page.getByText(what)).toBeVisible();
    await expect(page.getByText(NEVER)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /step=2/);
    await expectSound(page);
  });
}

test('the way back from a soft verdict leads to the step where the run stands', async ({ page }) => {
  await tellRunState(page, { step: 3 });
  await page.goto(`/key-system-bypass?${WHO}&r=KS_PROOF`);
  await page.getByRole('link', { name: 'Back to Key System' }).click();

  await expect(page).toHaveURL(new RegExp(`/key-system-3\\?${WHO}$`));
  await expect(page.getByText('Your run goes on at step 3.')).toBeVisible();
});

test('a pause counts down by the server’s clock, and at its end the run goes on', async ({ page }) => {
  await page.clock.install();
  const tell = await tellRunState(page, { step: 2, cooldown: { left: 15 * MINUTE, reason: 'KS_COOLDOWN' } });
  await page.goto(`/key-system-2?${WHO}`);

  await expect(page.getByText('You have to wait before you can go on')).toBeVisible();
  await expect(page.getByRole('status').getByRole('timer')).toContainText(/00:1[45]:\d\d/);
  await expect(page.getByRole('link', { name: 'Complete' })).not.toHaveAttribute('href', /./);
  await expectSound(page);

  tell({ step: 2 });
  await page.clock.fastForward(15 * MINUTE + 1000);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /step=2/);
});

test('a device that was blocked without an end reads whom to ask', async ({ page }) => {
  await tellRunState(page, { cooldown: { left: null, reason: 'KS_BLOCKED' } });
  await page.goto(`/key-system-1?${WHO}`);

  await expect(page.getByText('The team blocked this device')).toBeVisible();
  await expect(page.getByText('The block has no end date.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'ask in the community chat' })).toHaveAttribute('href', /^https:/);
  await expectSound(page);
});

test('the bypass page of a pause says when one can go on', async ({ page }) => {
  await tellRunState(page, { step: 2, cooldown: { left: 14 * MINUTE, reason: 'KS_COOLDOWN' } });
  await page.goto(`/key-system-bypass?${WHO}&r=KS_COOLDOWN&until=${new Date(Date.now() + 14 * MINUTE).toISOString()}`);

  await expect(page.getByText('You have to wait before you can go on')).toHaveCount(1);
  await expect(page.getByRole('timer')).toContainText(/00:1[34]:\d\d/);
  await expectSound(page);
});

test('waiting for an advertiser goes on by itself, and after a minute says what else one can do', async ({ page }) => {
  await page.clock.install();
  const tell = await tellRunState(page, { step: 3, waiting: true });
  await page.goto(`/key-system-3?${WHO}&advertiser=lootlabs&wait=1`);

  await expect(page.getByText('Waiting for the advertiser.')).toBeVisible();
  await expectSound(page);
  await page.clock.fastForward(MINUTE);
  await expect(page.getByText('Not confirmed yet.')).toBeVisible();

  tell({ step: 4 });
  await page.clock.fastForward(10_000);
  await expect(page).toHaveURL(/\/key-system-4\?/);
  await expect(page.getByRole('radio', { name: 'Linkvertise' })).toBeChecked();
});

test('an advertiser that cannot be used is not to be chosen, and the next one is', async ({ page }) => {
  await tellRunState(page, { step: 2, down: ['linkvertise'] });
  await page.goto(`/key-system-2?${WHO}`);

  await expect(page.getByRole('radio', { name: 'Linkvertise temporarily unavailable' })).toBeDisabled();
  await expect(page.getByRole('radio', { name: 'Work.ink' })).toBeChecked();
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /advertiser=workink/);
  await expectSound(page);
});

test('when no advertiser can be used the page looks again until one can', async ({ page }) => {
  await page.clock.install();
  const tell = await tellRunState(page, { app: 'companion', step: 2, down: ['linkvertise'] });
  await page.goto(`/rosaverx/key-system-2?${WHO}`);

  await expect(page.getByText('No advertiser works right now.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Look again' })).toBeVisible();
  await expectSound(page);

  tell({ app: 'companion', step: 2 });
  await page.clock.fastForward(15_000);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute(
    'href',
    '/api/saverobux/keysystem?hwid=device-states-1&zone=zone-1&step=2',
  );
});

test('step 4 starts on Linkvertise, whatever the address says', async ({ page }) => {
  await tellRunState(page, { step: 4 });
  await page.goto(`/key-system-4?${WHO}&advertiser=lootlabs`);

  await expect(page.getByRole('radio', { name: 'Linkvertise' })).toBeChecked();
  await expect(page.getByRole('heading', { name: 'Fourth step' })).toBeFocused();
});

test('the current step comes into view and has the focus; its series and the other one say how far the run is', async ({
  page,
}) => {
  await tellRunState(page, { step: 5, keyLeft: 90 * MINUTE });
  await page.goto(`/key-system-5?${WHO}`);

  await expect(page.getByRole('heading', { name: 'Fifth step' })).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await expect(page.getByRole('list', { name: 'First series' }).getByText('Completed!')).toHaveCount(3);
  await expect(page.getByRole('list', { name: 'Second series' }).getByRole('heading')).toHaveText([
    'Fourth step',
    'Fifth step',
    'Sixth step',
  ]);
  await expect(page.getByRole('region', { name: 'Your run' })).toContainText(/00:5[89]:\d\d left/);
  await expect(page.getByRole('region', { name: 'Your run' })).toContainText(/01:29:\d\d left/);
  await expectSound(page);
});

for (const [app, path, name] of [
  ['main', '/key-system-getkey', 'Arceus X'],
  ['companion', '/rosaverx/key-system-getkey', 'RosaverX'],
] as const) {
  test(`the end of a run of ${name} is a window over a page that says the same after it is closed`, async ({
    page,
  }) => {
    await tellRunState(page, { app, keyLeft: 24 * 60 * MINUTE - 1000 });
    await page.goto(`${path}?${WHO}`);

    const window = page.getByRole('dialog', { name: 'Key System completed!' });
    await expect(window).toContainText(
      'Your key works for 24 hours. After that, the key system must be completed again.',
    );
    await expect(window.getByRole('timer')).toContainText(/23:59:\d\d/);
    await expect(window.getByRole('link', { name: 'Launch' })).toHaveAttribute('href', 'roblox://');
    await expect(page.getByText(name, { exact: true }).last()).toBeAttached();
    await expectSound(page);

    await page.keyboard.press('Escape');
    await expect(window).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Your key is ready: open the app' })).toBeVisible();
    await expect(page.getByText(/^It ends (at|on) /)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open the app' })).toHaveAttribute('href', 'roblox://');
    await expect(page.getByRole('link', { name: 'Check a key' }).first()).toHaveAttribute('href', /^\/check-key\?/);
    await expect(page.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', /^\/plans\?/);
    await expect(page.getByText('not begun')).toHaveCount(0);
    await expectSound(page);

    await page.reload();
    await expect(window).toBeVisible();
    await page.mouse.click(5, 5);
    await expect(window).toBeVisible();
    await window.getByRole('button', { name: 'Close' }).click();
    await expect(window).toBeHidden();
  });
}

test('a run that cannot be read says that nothing is lost, and is read again', async ({ page }) => {
  let isDown = true;
  await page.route('**/api/keysystem/state?**', (route) =>
    isDown ? route.fulfill({ status: 500, body: 'down' }) : route.fallback(),
  );
  await page.goto(`/key-system-1?${WHO}`);

  await expect(page.getByText('Check your connection, then try again. Your completed steps are safe.')).toBeVisible();
  await expectSound(page);
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /./);
});

test('an iPhone is shown an apple', async ({ browser, site }) => {
  const page = await browser.newPage({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' });
  await page.goto(`${site.url}/key-system-1`);

  await expect(page.getByRole('region', { name: 'Your run' }).locator('[data-os="ios"]')).toContainText('iOS');
  await expect(page.getByRole('button', { name: 'Play the video: Trailer' })).toBeVisible();
  await expect(page.getByText('null')).toBeVisible();
  await page.close();
});
