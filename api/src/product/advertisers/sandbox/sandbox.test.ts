import { describe, expect, test } from 'vitest';
import { NO_DOWNLOADS } from '#api/product/downloads/downloads-settings.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import {
  leaveAdvertiser,
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  walkStep,
  WHO,
} from '#api/test/product/visitor-steps.ts';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import type { Misbehaviour } from './visit-page.ts';

/** A visitor who has been at an advertiser for long enough. */
async function navigateTo(advertiser: string) {
  const api = await createTestApi();
  await passCaptcha(api);
  const link = await clickComplete(api, { advertiser });
  api.pass(LONG_ENOUGH_MS);

  return { api, link };
}

async function stepOf(api: TestApi): Promise<unknown> {
  return ((await readState(api))['run'] as { step: number } | null)?.step;
}

describe('sandbox advertisers', () => {
  test.each([
    { advertiser: 'linkvertise', buttons: ['wrong_proof', 'no_proof', 'same_proof', 'late', 'early'] },
    {
      advertiser: 'lootlabs',
      buttons: ['no_postback', 'postback_first', 'twice', 'wrong_proof', 'same_proof', 'late', 'early'],
    },
    { advertiser: 'rinku', buttons: ['early'] },
  ])('the sandbox page of $advertiser has a button for each kind of misuse', async ({ advertiser, buttons }) => {
    const { api, link } = await navigateTo(advertiser);

    const html = await (await api.visit(link)).text();

    expect([...html.matchAll(/<button name="how" value="([^"]+)"/g)].map(([, how]) => how)).toEqual(buttons);
  });

  test('without JavaScript the sandbox page names the button that works', async () => {
    const { api, link } = await navigateTo('rinku');

    const html = await (await api.visit(link)).text();
    expect(/<noscript>(.*)<\/noscript>/s.exec(html)?.[1]).toContain('Press “Return at once”');
    expect(html).toMatch(/<button name="how" value="early">Return at once</);
  });

  test.each([
    ['wrong_proof', `/key-system-bypass?${WHO}&r=KS_PROOF`],
    ['no_proof', `/key-system-2?${WHO}&advertiser=workink&e=KS_UNFINISHED`],
    ['late', `/key-system-bypass?${WHO}&r=KS_PROOF`],
  ] satisfies [Misbehaviour, string][])('a Work.ink step that ends with %s is not credited', async (how, page) => {
    const { api } = await navigateTo('linkvertise');
    await api.db.updateTable('run').set({ step: 2 }).execute();

    expect(await walkStep(api, { advertiser: 'workink', step: 2 }, how)).toBe(page);
    expect(await stepOf(api)).toBe(2);
  });

  test('threat 11: a LootLabs postback credits the step before its visitor returns', async () => {
    const { api, link } = await navigateTo('lootlabs');

    const page = await leaveAdvertiser(api, link, 'postback_first');
    expect(await stepOf(api)).toBe(2);

    const address = /<a class="action" href="([^"]+)">Return now</.exec(await page.text())?.[1] ?? '';
    expect(requireLocation(await api.visit(address))).toBe(`/key-system-2?${WHO}&advertiser=lootlabs`);
    expect(await stepOf(api)).toBe(2);
  });

  test('threat 10: a repeated LootLabs postback credits the step once', async () => {
    const { api, link } = await navigateTo('lootlabs');

    const address = requireLocation(await leaveAdvertiser(api, link, 'twice'));

    expect(requireLocation(await api.visit(address))).toBe(`/key-system-2?${WHO}&advertiser=lootlabs`);
    expect(await stepOf(api)).toBe(2);
  });

  test.each(['wrong_proof', 'no_postback'] satisfies Misbehaviour[])(
    'threat 10: with %s the visitor stays at the step without a strike',
    async (how) => {
      const { api, link } = await navigateTo('lootlabs');

      const address = requireLocation(await leaveAdvertiser(api, link, how));

      expect(requireLocation(await api.visit(address))).toBe(`/key-system-1?${WHO}&advertiser=lootlabs&wait=1`);
      expect(await stepOf(api)).toBe(1);
      expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
    },
  );
});

test.each([
  '/dev',
  '/dev/advertiser',
  '/dev/advertiser/sandbox.css',
  '/dev/advertiser/linkvertise/1/1/dynamic?r=',
  '/dev/advertiser/linkvertise/finish?r=',
  '/dev/advertiser/workink/_api/v2/override?destination=x',
  '/dev/advertiser/lootlabs/finish?data=x',
  '/dev/advertiser/rinku/api?api=x&url=y&alias=z',
])('threat 19: with real accounts %s answers 404', async (path) => {
  const api = await createTestApi({ advertisers: exampleSettings, downloads: NO_DOWNLOADS });

  expect((await api.ask(path)).status).toBe(404);
  expect((await api.ask(path, { method: 'POST' })).status).toBe(404);
});
