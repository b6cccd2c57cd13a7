import { expect, test } from 'vitest';
import { ProviderError, type CallProvider } from '#api/foundation/http/call-provider.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { sealed } from '#api/test/sealed.ts';
import { createAdvertisersService, enableAdvertiser } from './advertisers.service.ts';
import exampleSettings from './advertisers-settings.example.json' with { type: 'json' };

const ORDER = { attemptId: 'attempt', returnUrl: 'https://site.example/return', link: null };
const HASH = 'a'.repeat(64);

const down: CallProvider = () =>
  Promise.reject(new ProviderError('publisher.linkvertise.com did not answer', { failure: 'unanswered' }));

function createService(db: Db, call: CallProvider = down) {
  return createAdvertisersService({
    db,
    settings: () => exampleSettings,
    now: () => T0,
    warn: () => undefined,
    noteState: () => undefined,
    call,
    circuit: { failuresToOpen: 5, restMs: 30_000 },
    baseUrl: () => 'https://site.example',
  });
}

describeEachDatabase('advertisers', (db) => {
  test('threat 12: while the circuit of one is open it gives no link, and its proofs are neither asked about nor spent', async () => {
    let asked = 0;
    const service = createService(db(), (...question) => {
      asked += 1;
      return down(...question);
    });
    const check = () => service.checkProof('linkvertise', { hash: HASH }, { issuedAt: T0 });
    for (let times = 0; times < 5; times++) expect(await check()).toEqual({ verdict: 'unavailable', proofSpent: true });

    expect(await check()).toEqual({ verdict: 'unavailable', proofSpent: false });
    expect(await service.createLink('linkvertise', ORDER)).toBeUndefined();
    expect(await service.getTerms('linkvertise')).toMatchObject({ ok: false, enabled: 1 });
    expect(asked).toBe(5);
  });

  test('one that is switched off is off from the next question on, and the change is on record', async () => {
    const service = createService(db());

    await enableAdvertiser({ db: db() }, 'rinku', false, { by: 'ada', at: T0 });
    expect(await service.getTerms('linkvertise')).toMatchObject({ ok: true });
    expect(await service.getTerms('rinku')).toMatchObject({ ok: false });
    await enableAdvertiser({ db: db() }, 'rinku', true, { by: 'ada', at: T0 + 1 });
    expect(await service.getTerms('rinku')).toMatchObject({ ok: true });

    await sealed(db());
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
