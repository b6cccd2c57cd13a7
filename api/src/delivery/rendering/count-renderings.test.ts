import { expect, test } from 'vitest';
import { openPrerenderingFixture as openStage } from '#api/test/delivery/prerendering-fixture.ts';
import { countMeanwhile, readMetric } from '#api/test/read-metric.ts';

test('what became of renderings is counted, and which renderers work now', async () => {
  const outcomes = ['rendered', 'thrown', 'failed'].map((outcome) => ['site_renderings_total', { outcome }] as const);
  const working = await readMetric('site_renderers');

  const changes = await countMeanwhile(outcomes, async () => {
    const { renderPairs, answers, ...pair } = openStage();
    const trial = renderPairs([pair]);
    await expect.poll(() => answers.length).toBe(1);
    expect(await readMetric('site_renderers')).toBe(working + 1);
    answers[0]?.();
    await trial;
    for (const answer of [{ rendered: [] }, { failure: 'The renderer was ended.' }]) {
      const stage = openStage(() => answer);
      await stage.renderPairs([stage]);
    }
  });

  expect(changes).toEqual([1, 1, 1]);
  expect(await readMetric('site_renderers')).toBe(working);
});
