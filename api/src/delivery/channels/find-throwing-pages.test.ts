import type { Release } from '@app/contracts/release';
import { expect, test } from 'vitest';
import { buildRelease } from '#api/test/delivery/build-release.ts';
import { findThrowingPages } from './change-channels.ts';
import type { Thrown } from '#api/delivery/rendering/prerendering.ts';

const TOOLS = buildRelease('tools');

test('a page that throws in the next shell counts, though another page of its remote throws already', async () => {
  const before = buildRelease('shell');
  const after = buildRelease('shell', { version: '0.2.0' });
  const throwingIn = (shell: Release) => (shell === after ? ['/old', '/new'] : ['/old']);
  const served = (shell: Release) =>
    new Map([
      ['shell', [shell]],
      ['tools', [TOOLS]],
    ]);

  const { problems } = await findThrowingPages(
    {
      renderPairs: (pairs) =>
        Promise.resolve({
          thrown: pairs.flatMap((pair): Thrown[] =>
            throwingIn(pair.shell).map((path) => ({ ...pair, path, stack: 'Error' })),
          ),
          failures: [],
        }),
    },
    served(before),
    served(after),
  );

  expect(problems).toEqual(['/new of tools@0.1.0 in shell@0.2.0 throws: Error']);
});
