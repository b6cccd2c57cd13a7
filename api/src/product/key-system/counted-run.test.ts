import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { countMeanwhile } from '#api/test/read-metric.ts';
import { handIn, passCaptcha, solveCaptcha, walkRun, walkStep } from '#api/test/product/visitor-steps.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';

const events = (kind: string, code: string) => ['site_events_total', { kind, code }] as const;

describeEachDatabase('what a run leaves in the metrics', (db) => {
  test('a whole run counts as one that begins and ends, with its steps, its key, its captcha and its calls', async () => {
    const api = await createTestApi({ db: db() });

    expect(
      await countMeanwhile(
        [
          events('run', 'opened'),
          events('attempt', 'verified'),
          events('run', 'completed'),
          events('key', 'issued'),
          ['site_captchas_total', { outcome: 'passed' }],
          ['site_advertiser_call_duration_seconds_count', { advertiser: 'linkvertise', outcome: 'answered' }],
          ['site_refusals_total'],
        ],
        () => walkRun(api),
      ),
    ).toEqual([1, 6, 1, 1, 1, 6, 0]);
  });

  test('a refusal counts with the code that the visitor’s page explains, a wrong captcha as refused', async () => {
    const api = await createTestApi({ db: db() });
    await passCaptcha(api);
    const solved = await solveCaptcha(api);

    expect(
      await countMeanwhile(
        [
          ['site_refusals_total', { code: 'KS_PROOF' }],
          ['site_refusals_total', { code: 'KS_TICKET' }],
          events('strike', 'KS_PROOF'),
          ['site_captchas_total', { outcome: 'refused' }],
        ],
        async () => {
          await walkStep(api, {}, 'wrong_proof');
          await api.visit(`/api/keysystem/return/${'a'.repeat(43)}`);
          await handIn(api, solved.slice(0, -8));
        },
      ),
    ).toEqual([1, 1, 1, 1]);
  });

  test('only what is committed counts', async () => {
    const event = { at: 0, kind: 'run', code: 'opened', subject: null } as const;
    const broken = new Error('broken');

    expect(
      await countMeanwhile([events('run', 'opened')], async () => {
        await transact(db(), {}, (tx) => Promise.resolve(rollBack(tx.record(event))));
        await expect(
          transact(db(), {}, (tx) => {
            tx.record(event);
            return Promise.reject(broken);
          }),
        ).rejects.toBe(broken);
      }),
    ).toEqual([0]);
    expect(
      await countMeanwhile([events('run', 'opened')], () =>
        transact(db(), {}, (tx) => Promise.resolve(tx.record(event))),
      ),
    ).toEqual([1]);
  });
});
