import { ADVERTISER_IDS, type AdvertiserId } from '@app/contracts/advertisers';
import { OPERATING_SYSTEMS, SPECIFIED_APPS, type SpecifiedApp } from '@app/contracts/key-system';
import { expect, test } from 'vitest';
import type { StepLinkRow } from '#api/foundation/db/schema.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { passCaptcha, clickComplete, WHO } from '#api/test/product/visitor-steps.ts';
import { createAdvertisersService } from './advertisers.service.ts';
import exampleSettings from './advertisers-settings.example.json' with { type: 'json' };

/** The advertisers of each step, from the product specification. */
const OFFERED: Record<SpecifiedApp, Record<number, readonly AdvertiserId[]>> = {
  main: {
    1: ['linkvertise', 'rinku', 'lootlabs'],
    2: ['linkvertise', 'workink', 'lootlabs'],
    3: ['linkvertise', 'workink', 'lootlabs'],
    4: ['linkvertise', 'lootlabs'],
    5: ['linkvertise', 'lootlabs'],
    6: ['linkvertise', 'lootlabs'],
  },
  companion: { 1: ['linkvertise'], 2: ['linkvertise'], 3: ['linkvertise'] },
};

describeEachDatabase('step links', (db) => {
  const places = SPECIFIED_APPS.flatMap((appId) =>
    OPERATING_SYSTEMS.flatMap((os) => [1, 2, 3, 4, 5, 6, 7].map((step) => ({ appId, os, step }))),
  );

  test('of every app, system and step, an offered advertiser is the one wanted, and any other word means Linkvertise', async () => {
    const advertisers = createAdvertisersService({
      db: db(),
      settings: () => exampleSettings,
      now: Date.now,
      warn: () => undefined,
      noteState: () => undefined,
      circuit: { failuresToOpen: 5, restMs: 30_000 },
      call: () => Promise.reject(new Error('No call is expected.')),
      baseUrl: () => 'https://site.example',
    });

    for (const place of places) {
      for (const wanted of [...ADVERTISER_IDS, 'https://evil.example', '__proto__', '', undefined]) {
        const offered = OFFERED[place.appId][place.step]?.find((id) => id === wanted);
        expect(
          await advertisers.findStepRoute({ ...place, offered: undefined }, wanted),
          JSON.stringify({ ...place, wanted }),
        ).toMatchObject({
          advertiserId: offered ?? 'linkvertise',
          link: null,
          ok: true,
        });
      }
    }
  });

  test('the table has a row for exactly the combinations that are offered', async () => {
    const rows = await db().selectFrom('stepLink').selectAll().execute();

    const offered = places.flatMap((place) =>
      (OFFERED[place.appId][place.step] ?? []).map((advertiserId) => ({ ...place, advertiserId, url: null })),
    );
    expect(sorted(rows)).toEqual(sorted(offered));
  });

  test('Rinku makes a link for every visit, so none can be set for it', async () => {
    const set = db()
      .updateTable('stepLink')
      .set({ url: 'https://rinku.me/abc' })
      .where('advertiserId', '=', 'rinku')
      .execute();

    await expect(set).rejects.toThrow();
  });
});

/** The API with real accounts; every call to an advertiser gets the same reply. */
async function createApiWith(reply: object) {
  const api = await createTestApi({
    advertisers: exampleSettings,
    callProvider: () => Promise.resolve(JSON.stringify(reply)),
  });
  await passCaptcha(api);
  return api;
}

async function setLink({ db }: TestApi, place: Omit<StepLinkRow, 'url'>, url: string): Promise<void> {
  await db
    .updateTable('stepLink')
    .set({ url })
    .where('appId', '=', place.appId)
    .where('advertiserId', '=', place.advertiserId)
    .where('os', '=', place.os)
    .where('step', '=', place.step)
    .execute();
}

async function standAtStep(api: TestApi, step: number): Promise<void> {
  await clickComplete(api);
  await api.db.updateTable('run').set({ step }).execute();
}

const ON_ANDROID = { appId: 'main', os: 'android', step: 2 } as const;

test('a link set for one step is what Linkvertise’s, Work.ink’s and LootLabs’ addresses are built on', async () => {
  const api = await createApiWith({ sr: 'override', type: 'fetched', message: 'abc%3D' });
  await setLink(api, { ...ON_ANDROID, advertiserId: 'linkvertise' }, 'https://direct-link.net/123456');
  await setLink(api, { ...ON_ANDROID, advertiserId: 'workink' }, 'https://work.ink/1Ab/step-two?src=app');
  await setLink(api, { ...ON_ANDROID, advertiserId: 'lootlabs' }, 'https://lootdest.org/s?StepTwo');
  await standAtStep(api, 2);

  expect(await clickComplete(api, { step: 2 })).toMatch(/^https:\/\/direct-link\.net\/123456\/\d{1,4}\/dynamic\?r=/);
  expect(await clickComplete(api, { step: 2, advertiser: 'workink' })).toBe(
    'https://work.ink/1Ab/step-two?src=app&sr=override',
  );
  expect(await clickComplete(api, { step: 2, advertiser: 'lootlabs' })).toMatch(
    /^https:\/\/lootdest\.org\/s\?StepTwo&data=abc%3D&puid=[\w-]{34}$/,
  );
});

test('a combination that the table does not know leads over the first step’s link at Linkvertise, which is then asked for the proof', async () => {
  const api = await createApiWith({ sr: 'override' });
  await setLink(api, { ...ON_ANDROID, advertiserId: 'linkvertise', step: 1 }, 'https://direct-link.net/123456');
  await api.db.deleteFrom('stepLink').where('advertiserId', '=', 'workink').execute();
  await standAtStep(api, 2);

  expect(await clickComplete(api, { step: 2, advertiser: 'workink' })).toMatch(/^https:\/\/direct-link\.net\/123456\//);
  const attempts = await api.db
    .selectFrom('stepAttempt')
    .select(['step', 'advertiserId'])
    .orderBy('step', 'desc')
    .execute();
  expect(attempts[0]).toEqual({ step: 2, advertiserId: 'linkvertise' });
});

const FOREIGN = [
  'https://evil.example/123456',
  'https://link-to.net@evil.example',
  'https://work.ink.evil.example',
  'javascript:alert(1)//',
  'nonsense',
];

test.each(
  (['linkvertise', 'workink', 'lootlabs'] as const).flatMap((advertiser) =>
    FOREIGN.map((url) => ({ advertiser, url })),
  ),
)('threat 27: the link $url, set by mistake for $advertiser, sends no visitor away', async ({ advertiser, url }) => {
  const api = await createApiWith({ sr: 'override', type: 'fetched', message: 'abc%3D' });
  await setLink(api, { ...ON_ANDROID, advertiserId: advertiser }, url);
  await standAtStep(api, 2);

  expect(await clickComplete(api, { step: 2, advertiser })).toBe(
    `/key-system-2?${WHO}&advertiser=${advertiser}&e=KS_PROVIDER_DOWN`,
  );
  expect(api.logged.join('')).toContain(`${advertiser}: the link leads to a foreign host`);
});

test('threat 27: whatever advertiser is asked for on whatever step, the way out is on Linkvertise’s list of hosts', async () => {
  const api = await createApiWith({});

  for (const advertiser of [
    'https://evil.example',
    '//evil.example',
    'evil.example/linkvertise',
    'LINKVERTISE%00',
    '../../evil',
  ]) {
    const { host, protocol } = new URL(await clickComplete(api, { advertiser }));
    expect([protocol, exampleSettings.linkvertise.hosts.includes(host)]).toEqual(['https:', true]);
  }
});

function sorted(rows: StepLinkRow[]): string[] {
  return rows
    .map(({ appId, advertiserId, os, step, url }) => JSON.stringify({ appId, advertiserId, os, step, url }))
    .sort();
}
