import type { Page } from '@playwright/test';
import { ENTRY, hold, hydrated, SCRIPTS } from '../fixtures/held-page.ts';
import { completeLink } from '../fixtures/key-steps.ts';
import { watchProblems } from '../fixtures/problems.ts';
import { expect, test } from '../fixtures/site.ts';
import { MAIN, MATRIX } from '../fixtures/tags.ts';
import { verifyOffline } from '../fixtures/verify-offline.ts';

const STATE = /\/api\/keysystem\/state/;

/** Expects the page of an advertiser after a click on Complete. */
async function finish(page: Page, advertiser: string, button = 'Continue') {
  await expect(page.getByRole('heading', { name: advertiser })).toBeVisible();
  await page.getByRole('button', { name: button }).click();
}

test.describe('while no script has come', () => {
  for (const [seed, advertiser, next] of [
    ['step-2', 'Work.ink', /\/key-system-3\?/],
    ['step-6', 'LootLabs', /\/key-system-getkey\?/],
    ['companion-step-2', 'Linkvertise', /\/rosaverx\/key-system-3\?/],
  ] as const)
    test(
      `${seed}: Complete leads to ${advertiser}`,
      { tag: seed === 'step-2' ? [] : MATRIX },
      async ({ page, site }) => {
        const { path } = await site.seedPage(seed);
        await hold(page, SCRIPTS);
        await hold(page, STATE);
        await page.goto(path, { waitUntil: 'commit' });

        const radio = page.getByRole('radio', { name: advertiser });
        if (advertiser !== 'Linkvertise') {
          await expect(completeLink(page)).toHaveAttribute('href', /advertiser=linkvertise/);
          for (const [chosen, name] of [
            [radio, advertiser],
            [page.getByRole('radio', { name: 'Linkvertise' }), 'Linkvertise'],
            [radio, advertiser],
          ] as const) {
            await chosen.check();
            await expect(completeLink(page)).toHaveAttribute(
              'href',
              new RegExp(`advertiser=${name.toLowerCase().replace('.', '')}`),
            );
          }
        }
        await expect(completeLink(page)).toHaveAttribute('aria-disabled', 'false');
        await completeLink(page).click();
        await finish(page, advertiser);
        await expect(page).toHaveURL(next);
      },
    );

  test('a choice stays that differs from the address, also that of the default', async ({ page, site }) => {
    const { path } = await site.seedPage('step-3');
    const named = page.getByRole('radio', { name: 'LootLabs' });
    const byPointer = () => page.getByRole('radio', { name: 'Linkvertise' }).check();
    for (const [chosen, choose, held] of [
      ['Linkvertise', byPointer, SCRIPTS],
      ['Work.ink', () => named.press('ArrowLeft'), SCRIPTS],
      // The router has read the address before the choice is in it.
      ['Linkvertise', byPointer, ENTRY],
    ] as const) {
      const goOn = await hold(page, held);
      await page.goto(`${path}&advertiser=lootlabs`, { waitUntil: 'commit' });
      await expect(named).toBeChecked();
      if (held === ENTRY) await expect(page.locator('html')).toHaveAttribute('data-started');
      await choose();
      const id = chosen.toLowerCase().replace('.', '');
      await expect(completeLink(page)).toHaveAttribute('href', new RegExp(`advertiser=${id}`));

      goOn();
      await expect(hydrated(page)).toBeVisible();
      await expect(page.locator('[data-known="true"]')).toBeVisible();
      await expect(page.getByRole('radio', { name: chosen })).toBeChecked();
      await expect(completeLink(page)).toHaveAttribute('href', new RegExp(`advertiser=${id}`));
    }
  });

  test('after “back” a choice is still there, and a newer one stays', async ({ page, site }) => {
    const { path } = await site.seedPage('step-3');
    const radio = (name: string) => page.getByRole('radio', { name });
    const goOn = await hold(page, SCRIPTS);
    await page.goto(`${path}&advertiser=lootlabs`, { waitUntil: 'commit' });
    await radio('Work.ink').check();
    await expect(page).toHaveURL(/advertiser=workink/);
    await completeLink(page).click();
    await expect(page.getByRole('heading', { name: 'Work.ink' })).toBeVisible();
    await page.goBack({ waitUntil: 'commit' });
    await expect(radio('Work.ink')).toBeChecked();
    await radio('Linkvertise').check();

    goOn();
    await expect(hydrated(page)).toBeVisible();
    await expect(page.locator('[data-known="true"]')).toBeVisible();
    await expect(radio('Linkvertise')).toBeChecked();
    await expect(completeLink(page)).toHaveAttribute('href', /advertiser=linkvertise/);
  });

  test('the address chooses the advertiser, but on step 4', async ({ page, site }) => {
    for (const [seed, chosen] of [
      ['step-3', 'LootLabs'],
      ['step-4', 'Linkvertise'],
      ['step-5', 'LootLabs'],
    ] as const) {
      const { path } = await site.seedPage(seed);
      const goOn = await hold(page, SCRIPTS);
      await page.goto(`${path}&advertiser=lootlabs&os=windows`, { waitUntil: 'commit' });
      await expect(page.getByRole('radio', { name: chosen })).toBeChecked();
      const early = await completeLink(page).getAttribute('href');
      expect(early).toContain(`advertiser=${chosen.toLowerCase()}`);

      // The page itself comes to the same.
      goOn();
      await expect(hydrated(page)).toBeVisible();
      await expect(page.getByRole('radio', { name: chosen })).toBeChecked();
      expect(await completeLink(page).getAttribute('href')).toBe(early);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
  });

  test('the keyboard chooses and leads on', { tag: MAIN }, async ({ page, site }) => {
    const { path } = await site.seedPage('step-3');
    await hold(page, SCRIPTS);
    await page.goto(path, { waitUntil: 'commit' });

    await page.getByRole('radio', { name: 'Linkvertise' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name: 'Work.ink' })).toBeChecked();
    await completeLink(page).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Work.ink' })).toBeVisible();
  });

  test('what has to pass first keeps Complete from opening', async ({ page, site }) => {
    const { path } = await site.seedPage('waiting');
    expect(path).toContain('wait=1');
    await hold(page, SCRIPTS);
    await page.goto(path, { waitUntil: 'commit' });
    await expect(completeLink(page)).toHaveAttribute('aria-disabled', 'true');
    await expect(completeLink(page)).not.toHaveAttribute('href', /./);
  });
});

test(
  'React takes the link over as it is: no node changes, and it is never disabled again',
  { tag: MAIN },
  async ({ page, site }) => {
    const { path } = await site.seedPage('step-2');
    const problems = watchProblems(page, ['error']);
    const startScripts = await hold(page, SCRIPTS);
    const tellState = await hold(page, STATE);
    await page.goto(path, { waitUntil: 'commit' });
    await page.getByRole('radio', { name: 'Work.ink' }).check();
    const link = await completeLink(page).elementHandle();
    await link?.evaluate((element) => {
      const seen: (string | null)[] = [];
      Object.assign(window, { seen });
      const read = (name: string) => element.getAttribute(name) ?? '';
      const look = read('class');
      const note = () =>
        seen.push(`${read('aria-disabled')} ${read('class') === look ? '' : 'looks otherwise '}${read('href')}`);
      new MutationObserver(note).observe(element, { attributes: true });
      note();
    });

    startScripts();
    await expect(hydrated(page)).toBeVisible();
    await expect(page).toHaveURL(/advertiser=workink/);
    await expect(page.locator('[data-known="false"]')).toBeAttached();
    tellState();
    await expect(page.locator('[data-known="true"]')).toBeVisible();

    expect(await link?.evaluate((element) => element.isConnected)).toBe(true);
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    for (const state of seen) expect(state).toMatch(/^false \/api\/.*advertiser=workink/);
    await expect(completeLink(page)).toHaveCount(1);
    // The document's script leaves it alone from here on: it knows less of the address than the page.
    await page.locator('[aria-current="step"] h3').click();
    await expect(completeLink(page)).toHaveAttribute('href', /&os=/);
    expect(problems).toEqual([]);
  },
);

test('a visitor who followed a link before hydration is not redirected', async ({ page, site }) => {
  const { path } = await site.seedPage('step-3');
  const startScripts = await hold(page, SCRIPTS);
  await page.goto(path, { waitUntil: 'commit' });
  await completeLink(page).focus();
  await page.evaluate(() => scrollTo(0, 0));

  startScripts();
  await expect(page.locator('[data-known="true"]')).toBeVisible();
  await expect(completeLink(page)).toBeFocused();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  const send = (page: Page) => page.getByRole('button', { name: /^Complete/ });

  test('a run is finished from step 2 to the key, with two advertisers', async ({ page, site }) => {
    const { path, query } = await site.seedPage('step-2');
    await page.goto(path, { waitUntil: 'commit' });

    for (const [next, advertiser] of [
      ['key-system-3', 'Work.ink'],
      ['key-system-4', 'Work.ink'],
      ['key-system-5', 'Linkvertise'],
      ['key-system-6', 'Linkvertise'],
      ['key-system-getkey', 'Linkvertise'],
    ] as const) {
      await expect(page.locator('main noscript').getByText(/The button still works/)).toBeVisible();
      await expect(completeLink(page).filter({ visible: true })).toHaveCount(0);
      await page.getByRole('radio', { name: advertiser }).check();
      await send(page).click();
      // The sandbox needs scripts for its countdown. Who comes back at once waits at our own page.
      await finish(page, advertiser, 'Return at once');
      await expect(page).toHaveURL(new RegExp(`/${next}\\?`));
    }

    await page.getByRole('button', { name: 'Show my key' }).click();
    await expect(page.getByRole('heading', { name: 'Here’s your key' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Launch' })).toHaveAttribute('href', 'roblox://');
    const key = (await page.locator('.details').textContent()) ?? '';
    const jwks: unknown = await (await page.request.get('/.well-known/jwks.json')).json();
    const hwid = new URLSearchParams(query).get('hwid') ?? '';
    await verifyOffline(key, jwks, { app: 'main', hwid });
  });
});
