import { expect, test } from 'vitest';
import { buildRelease, buildSnapshot } from '#api/test/delivery/build-release.ts';
import { selectReleases, presentResolution, withLocalUnit } from './release-selection.ts';

const SHELL = buildRelease('shell', { version: '2.0.0', contract: { version: '1.2' } });
const OLDER_SHELL = buildRelease('shell', { version: '1.0.0', contract: { version: '1.0' } });
const TOOLS = buildRelease('tools', { version: '2.0.0', contract: { version: '1.2' } });
const OLDER_TOOLS = buildRelease('tools', { version: '1.0.0', contract: { version: '1.0' } });
const FOREIGN_TOOLS = buildRelease('tools', { version: '0.9.0', contract: { version: '0.9' } });

test('a unit that has no stable release yet can be pinned', () => {
  const { units } = selectReleases(buildSnapshot([SHELL]), { pins: new Map([['tools', TOOLS]]) });

  expect(units.get('tools')).toEqual({ release: TOOLS, source: 'pin' });
});

test('a last good release that does not fit the shell is not offered', () => {
  const fitting = buildSnapshot([SHELL, TOOLS], { tools: { lastGood: OLDER_TOOLS } });
  const foreign = buildSnapshot([SHELL, TOOLS], { tools: { lastGood: FOREIGN_TOOLS } });

  expect(selectReleases(fitting).units.get('tools')).toMatchObject({ lastGood: OLDER_TOOLS });
  expect(selectReleases(foreign).units.get('tools')).toEqual({ release: TOOLS, source: 'stable' });
});

test('in an older shell a remote is replaced by its last good release, unless it is pinned', () => {
  const snapshot = buildSnapshot([SHELL, TOOLS], {
    shell: { lastGood: OLDER_SHELL },
    tools: { lastGood: OLDER_TOOLS },
  });
  const failedShell = SHELL.version;

  expect(selectReleases(snapshot, { failedShell }).units).toEqual(
    new Map([
      ['shell', { release: OLDER_SHELL, source: 'fallback' }],
      ['tools', { release: OLDER_TOOLS, source: 'fallback' }],
    ]),
  );
  const pins = new Map([['tools', TOOLS]]);
  expect(selectReleases(snapshot, { failedShell, pins }).units.get('tools')).toMatchObject({
    release: TOOLS,
    source: 'pin',
  });
});

test('a unit from a computer has no translations of the release in its place', () => {
  const translated = buildRelease('tools', { version: '2.0.0', translations: { vi: { script: 'vi.js' } } });
  const usual = selectReleases(buildSnapshot([SHELL, translated]));
  const local = withLocalUnit(usual, 'tools', 'http://localhost:8080');

  expect(presentResolution(usual, undefined, 'vi').units['tools']).toHaveProperty('translations');
  expect(presentResolution(local, undefined, 'vi').units['tools']).not.toHaveProperty('translations');
});

test('remotes without a shell stay as they were selected', () => {
  const { units } = selectReleases(buildSnapshot([TOOLS], { tools: { lastGood: FOREIGN_TOOLS } }));

  expect(units.get('tools')).toEqual({ release: TOOLS, source: 'stable', lastGood: FOREIGN_TOOLS });
});
