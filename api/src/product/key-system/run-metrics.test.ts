import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { countMeanwhile } from '#api/test/read-metric.ts';
import { handIn, passCaptcha, solveCaptcha, walkRun, walkStep } from '#api/test/product/visitor-steps.ts';

const events = (kind: string, code: string) => ['site_events_total', { kind, code }] as const;

test('the metrics of a complete run count its opening, steps, end, key, captcha and provider calls', async () => {
  const api = await createTestApi();

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

test('the metrics of a rejected return and a rejected captcha count the code shown to the visitor', async () => {
  const api = await createTestApi();
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
