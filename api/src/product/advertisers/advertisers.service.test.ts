import { ADVERTISER_IDS, type AdvertiserId } from '@app/contracts/advertisers';
import { OPERATING_SYSTEMS, SPECIFIED_APPS, type SpecifiedApp } from '@app/contracts/key-system';
import { expect, test } from 'vitest';
import type { StepLinkRow } from '#api/foundation/db/schema.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { openEmptySqlite } from '#api/test/databases/open-empty-sqlite.ts';
import { createService, FAILURES } from '#api/test/product/answer-for-advertisers.ts';
import { sealAudit } from '#api/test/sealed.ts';
import { enableAdvertiser } from './advertisers.service.ts';

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

describeEachDatabase('advertisers', (db) => {
  const places = SPECIFIED_APPS.flatMap((appId) =>
    OPERATING_SYSTEMS.flatMap((os) => [1, 2, 3, 4, 5, 6, 7].map((step) => ({ appId, os, step }))),
  );

  test('threat 27: every step of every app and system gets the requested advertiser if it is offered, else Linkvertise', async () => {
    const { service } = createService({ db: db() });

    for (const place of places) {
      for (const wanted of [...ADVERTISER_IDS, 'https://evil.example', '__proto__', '', undefined]) {
        const offered = OFFERED[place.appId][place.step]?.find((id) => id === wanted);
        expect(
          await service.findStepRoute({ ...place, offered: undefined }, wanted),
          JSON.stringify({ ...place, wanted }),
        ).toMatchObject({ advertiserId: offered ?? 'linkvertise', link: null, ok: true });
      }
    }
  });

  test('the table of step links has a row for exactly the combinations that are offered', async () => {
    const sorted = (rows: StepLinkRow[]) =>
      rows
        .map(({ appId, advertiserId, os, step, url }) => JSON.stringify({ appId, advertiserId, os, step, url }))
        .sort();
    const offered = places.flatMap((place) =>
      (OFFERED[place.appId][place.step] ?? []).map((advertiserId) => ({ ...place, advertiserId, url: null })),
    );

    expect(sorted(await db().selectFrom('stepLink').selectAll().execute())).toEqual(sorted(offered));
  });

  test('setting a step link for Rinku is rejected', async () => {
    const links = db().updateTable('stepLink').set({ url: 'https://rinku.me/abc' });

    await expect(links.where('advertiserId', '=', 'rinku').execute()).rejects.toThrow();
  });

  test('threat 12: an open circuit gives no link and checks no proof, and its calls count as unavailable', async () => {
    const { service, asked, states, answer } = createService({ db: db() });
    const check = () => service.checkProof('linkvertise', { hash: 'a'.repeat(64) }, { issuedAt: T0 });
    answer(FAILURES.unanswered);
    for (let times = 0; times < 5; times++) expect(await check()).toEqual({ verdict: 'unavailable', proofSpent: true });

    answer('TRUE');
    expect(await check()).toEqual({ verdict: 'unavailable', proofSpent: false });
    expect(await service.checkProof('linkvertise', {}, { issuedAt: T0 })).toMatchObject({ verdict: 'unavailable' });
    const order = { attemptId: 'attempt', returnUrl: 'https://site.example/return', link: null };
    expect(await service.createLink('linkvertise', order)).toBeUndefined();
    expect(await service.getTerms('linkvertise')).toMatchObject({ ok: false, enabled: 1 });
    expect(await service.getTerms('rinku')).toMatchObject({ ok: true });
    expect([asked.length, states]).toEqual([5, [['linkvertise', 'open']]]);
  });

  test('an advertiser that is turned off is unavailable at once, and the change is audited', async () => {
    const { service } = createService({ db: db() });

    await enableAdvertiser({ db: db() }, 'rinku', false, { by: 'ada', at: T0 });
    expect(await service.getTerms('linkvertise')).toMatchObject({ ok: true });
    expect(await service.getTerms('rinku')).toMatchObject({ ok: false });
    await enableAdvertiser({ db: db() }, 'rinku', true, { by: 'ada', at: T0 + 1 });
    expect(await service.getTerms('rinku')).toMatchObject({ ok: true });

    await sealAudit(db());
    const events = await db()
      .selectFrom('auditEvent')
      .select(['at', 'kind', 'code', 'subject', 'detail'])
      .orderBy('seq')
      .execute();
    expect(events).toEqual([
      { at: T0, kind: 'advertiser', code: 'disabled', subject: null, detail: '{"advertiser":"rinku","by":"ada"}' },
      { at: T0 + 1, kind: 'advertiser', code: 'enabled', subject: null, detail: '{"advertiser":"rinku","by":"ada"}' },
    ]);
  });
});

test('a combination without a step link falls back to the Linkvertise link of step 1', async () => {
  const db = await openEmptySqlite();
  const { service } = createService({ db });
  const links = db.updateTable('stepLink').set({ url: 'https://direct-link.net/123456' });
  await links.where('appId', '=', 'main').where('advertiserId', '=', 'linkvertise').where('step', '=', 1).execute();
  await db.deleteFrom('stepLink').where('advertiserId', '=', 'workink').execute();

  const place = { appId: 'main', os: 'android', step: 2, offered: undefined } as const;
  expect(await service.findStepRoute(place, 'workink')).toMatchObject({
    advertiserId: 'linkvertise',
    link: 'https://direct-link.net/123456',
  });
});
