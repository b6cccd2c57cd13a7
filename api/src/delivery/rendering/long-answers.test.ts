import { expect, test } from 'vitest';
import { openPrerenderingFixture, putRelease } from '#api/test/delivery/prerendering-fixture.ts';

test('threat 42: a long answer about many pages takes time in proportion to its length', async () => {
  const { renderPairs, shell, folder } = openPrerenderingFixture(() => ({
    rendered: Array.from({ length: 300_000 }, () => ({ path: '', problem: '' })),
  }));
  const paths = Array.from({ length: 30_000 }, (_, nth) => `/${nth}`);
  const { thrown } = await renderPairs([{ shell, remote: putRelease(folder, 'long', '1.0.0', paths) }]);

  expect(thrown).toHaveLength(paths.length);
});
