import { expect, test } from 'vitest';
import { openPrerenderingStage, putRelease } from '#api/test/delivery/prerendering-fixture.ts';

test('threat 42: a long answer about many pages holds the server up no longer than it is long', async () => {
  const { tryPairs, shell, folder } = openPrerenderingStage(() => ({
    rendered: Array.from({ length: 300_000 }, () => ({ path: '', problem: '' })),
  }));
  const paths = Array.from({ length: 30_000 }, (_, nth) => `/${nth}`);
  const { thrown } = await tryPairs([{ shell, remote: putRelease(folder, 'long', '1.0.0', paths) }]);

  expect(thrown).toHaveLength(paths.length);
});
