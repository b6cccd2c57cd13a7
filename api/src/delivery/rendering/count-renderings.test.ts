import { expect, test } from 'vitest';
import { openPrerenderingFixture as openFixture } from '#api/test/delivery/prerendering-fixture.ts';
import { countMeanwhile, readMetric } from '#api/test/read-metric.ts';

test('the outcomes of renderings are counted, and the running renderers', async () => {
  const outcomes = ['rendered', 'thrown', 'failed'].map((outcome) => ['site_renderings_total', { outcome }] as const);
  const working = await readMetric('site_renderers');

  const changes = await countMeanwhile(outcomes, async () => {
    const { renderPairs, answers, ...pair } = openFixture();
    const trial = renderPairs([pair]);
    await expect.poll(() => answers.length).toBe(1);
    expect(await readMetric('site_renderers')).toBe(working + 1);
    answers[0]?.();
    await trial;
    for (const answer of [{ rendered: [] }, { failure: 'The renderer was ended.' }]) {
      const site = openFixture(() => answer);
      await site.renderPairs([site]);
    }
  });

  expect(changes).toEqual([1, 1, 1]);
  expect(await readMetric('site_renderers')).toBe(working);
});
