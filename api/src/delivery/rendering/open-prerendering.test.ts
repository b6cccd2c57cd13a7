import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseEnv } from '#api/foundation/settings/env.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { putRelease } from '#api/test/delivery/prerendering-fixture.ts';
import { PRODUCTION } from '#api/test/production-settings.ts';
import { SHELL_BUNDLE } from '#api/test/delivery/server-bundles.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import { openPrerendering } from './prerendering.ts';

test.each([
  { where: 'a site with visitors', settings: PRODUCTION, said: 'lacks bubblewrap' },
  { where: 'a machine for development', settings: {}, said: 'was ended by code 1' },
])('threat 42: code that cannot be confined does not run on $where, if it has visitors', async ({ settings, said }) => {
  const folder = makeFolder();
  const [shell, remote] = [putRelease(folder, 'shell', '1.0.0'), putRelease(folder, 'tools', '1.0.0', ['/a'])];
  // Bubblewrap cannot bind a missing program.
  const { renderPairs } = openPrerendering(parseEnv({ ...settings, DATA_DIR: folder }), folder, {
    releases: { folder, renderedFolder: join(folder, '.rendered') },
    settings: SITE_SETTINGS,
    warn: () => undefined,
  });

  expect((await renderPairs([{ shell, remote }])).failures).toEqual([expect.stringContaining(said)]);
});

test('threat 42: nor is an entry tried on a site with visitors, where it cannot be confined', async () => {
  const folder = makeFolder();
  const shell = {
    release: putRelease(folder, 'shell', '1.0.0', [], {}, SHELL_BUNDLE),
    folder: join(folder, 'shell/1.0.0'),
  };
  const remote = { release: putRelease(folder, 'tools', '1.0.0', ['/a']), folder: join(folder, 'tools/1.0.0') };
  const { tryEntry } = openPrerendering(parseEnv({ ...PRODUCTION, DATA_DIR: folder }), folder, {
    releases: { folder, renderedFolder: join(folder, '.rendered') },
    settings: SITE_SETTINGS,
    warn: () => undefined,
  });

  expect((await tryEntry?.(remote, shell))?.notices[0]).toContain('lacks bubblewrap');
});
