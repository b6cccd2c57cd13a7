import type { Page } from '@playwright/test';
import { violations } from '../fixtures/axe.ts';
import { expectStill, readFirstView, recordShifts } from '../fixtures/first-view.ts';
import { photograph } from '../fixtures/photograph.ts';
import { MATRIX } from '../fixtures/tags.ts';
import { watchProblems } from '../fixtures/problems.ts';
import { settled } from '../fixtures/settled.ts';
import { expect, test } from '../fixtures/site.ts';

/** The limits of a first view. Sizes are in compressed bytes. */
const MAX_SCRIPT = 130_000;
/** The display font, and the text font beside it. */
const MAX_FONT = 35_000 + 25_000;
const MAX_PICTURE = 60_000;

/** One address of each kind of page: the name of its screenshots, the address, its unit and its heading. */
const PAGES: [name: string, address: string, unit: string, heading: string][] = [
  ['v5', '/', 'marketing', 'Introducing Arceus X V5'],
  ['neo', '/neo', 'marketing', 'Arceus X NEO'],
  ['v3', '/arceusxv3', 'marketing', 'Arceus X V3'],
  ['plans', '/plans', 'marketing', 'Pick your plan'],
  ['resellers', '/resellers', 'marketing', 'Official approved resellers'],
  ['success-v5', '/successV5', 'marketing', 'Congratulations! Payment Successfull!'],
  ['error-v5', '/errorV5', 'marketing', 'An error occurred during the payment! Please try again.'],
  ['success-basic', '/success-basic', 'marketing', 'Basic plan'],
  ['success-plus', '/success-plus', 'marketing', 'Plus plan'],
  ['success-premium', '/success-premium', 'marketing', 'Premium plan'],
  ['payment-failed', '/payment-failed', 'marketing', 'An error occurred during the payment!'],
  ['redeem', '/redeem', 'marketing', 'Redeem a code'],
  ['reset-devices', '/reset-devices', 'marketing', 'Reset your devices'],
  ['claim-plan', '/claim-plan', 'marketing', 'Add a device to your plan'],
  ['companion', '/rosaverx', 'companion', 'RosaverX'],
  ['reset-success', '/resetsuccessV5', 'tools', 'Reset succeeded! Your devices have been reset'],
  ['privacy-policy', '/privacy-policy', 'tools', 'Privacy & Policy'],
  ['encrypter', '/encrypter', 'tools', 'Script encrypter'],
  ['developers', '/developers', 'tools', 'For developers'],
  ['errors', '/errors', 'tools', 'Error codes'],
  ['stats', '/stats', 'tools', 'How your app’s doing'],
  ['status', '/status', 'tools', 'Status'],
  ['portfolio', '/portfolio', 'tools', 'Portfolio'],
  ['gate', '/gate', 'key-system', 'Start in the app'],
  ['check-key', '/check-key', 'key-system', 'Check a key'],
  ['key-step-without-device', '/key-system-1', 'key-system', 'Start in the app'],
  ['key-step', '/key-system-1?hwid=device-seen-1&zone=z', 'key-system', 'Key step'],
  ['key-without-device', '/key-system-getkey', 'key-system', 'Start in the app'],
  ['bypass', '/key-system-bypass?hwid=device-seen-1&zone=z&r=KS_PROOF', 'key-system', 'Bypass detected!'],
  ['companion-key-step', '/rosaverx/key-system-1?hwid=device-seen-1&zone=z', 'key-system', 'Key step'],
  ['companion-key-without-device', '/rosaverx/key-system-getkey', 'key-system', 'Start in the app'],
  ['companion-bypass', '/rosaverx/key-system-bypass?hwid=device-seen-1&zone=z', 'key-system', 'Bypass detected!'],
  ['design', '/qa/design', 'shell', 'Design system'],
  ['qa', '/qa', 'shell', 'Versions in this browser'],
  ['qa-releases', '/qa/releases', 'shell', 'Releases'],
];

/** The pages that `npm test` looks at: one of each kind. The soak looks at all of them, in two windows. */
const OFTEN = ['v5', 'plans', 'redeem', 'companion', 'key-step', 'check-key', 'qa-releases'];

for (const { window, viewport, tag } of [
  { window: 'phone', viewport: { width: 360, height: 740 }, tag: [] },
  { window: 'wide', viewport: { width: 1440, height: 900 }, tag: MATRIX },
]) {
  test.describe(`in a ${window} window`, { tag }, () => {
    test.use({ viewport });

    for (const [name, address, unit, heading] of PAGES) {
      const isOften = OFTEN.includes(name);
      test(
        `${address} is answered by ${unit}, light, still and accessible`,
        { tag: isOften ? [] : MATRIX },
        async ({ page }) => {
          const logged = watchProblems(page);
          await recordShifts(page);

          const response = await page.goto(address);
          expect(response?.status()).toBe(200);
          await expect(
            placeOf(page, unit).getByRole('heading', { level: 1, name: heading, exact: true }),
          ).toBeVisible();
          await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
          await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
          await settled(page);

          const { scripts, fonts, pictures, tooWide } = await readFirstView(page);
          expect(scripts).toBeLessThanOrEqual(MAX_SCRIPT);
          expect(fonts).toBeLessThanOrEqual(MAX_FONT);
          expect(pictures.filter(({ bytes }) => bytes > MAX_PICTURE)).toEqual([]);
          await expectStill(page);
          expect(tooWide).toEqual([]);
          expect(await violations(page)).toEqual([]);

          await photograph(page, name);
          expect(logged).toEqual([]);
        },
      );
    }
  });
}

test('the step with its captcha solved is accessible', async ({ page, device }) => {
  await page.goto(`/key-system-1?hwid=${device}&zone=z`);
  await expect(page.getByRole('link', { name: 'Complete' })).toHaveAttribute('href', /./);

  expect(await violations(page)).toEqual([]);
});

/** The element of a unit's page. Pages of remotes are in an element with the unit's name; the shell's are not. */
function placeOf(page: Page, unit: string) {
  return unit === 'shell' ? page.locator('main') : page.locator(`[data-unit="${unit}"]`);
}
