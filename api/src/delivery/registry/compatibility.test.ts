import type { Release } from '@app/contracts/release';
import { expect, test } from 'vitest';
import { addRelease } from '#api/test/delivery/add-release.ts';
import { buildRelease, buildRoute } from '#api/test/delivery/build-release.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createChannelsRepository } from './registry.repository.ts';
import { findIncompatibilities, findNewIncompatibilities, type ServedReleases, withRelease } from './compatibility.ts';
import { openCanary, promoteReleases, rollBackUnit } from '#api/delivery/channels/channel-changes.ts';

const ACT = { by: 'tess', at: Date.parse('2026-12-01T12:00Z') };
const REACT = { react: ['useState'] };

const shell = (version: string, contract: string, provides: Record<string, string[]> = REACT) =>
  buildRelease('shell', { version, contract: { version: contract, provides } });
const tools = (version: string, contract: string, requires: Record<string, string[]> = REACT) =>
  buildRelease('tools', { version, contract: { version: contract, requires } });
const serve = (...releases: Release[]) => releases.reduce<ServedReleases>(withRelease, new Map());

test.each<[string, Release[], string[]]>([
  ['a remote that requires what the shell provides', [shell('1.0.0', '1.1'), tools('1.0.0', '1.1')], []],
  [
    'a remote of a later minor',
    [shell('1.0.0', '1.0'), tools('1.0.0', '1.1')],
    ['tools@1.0.0 requires host API 1.1, the shell provides 1.0 (shell@1.0.0)'],
  ],
  [
    'a name that the shell does not provide',
    [shell('1.0.0', '1.0'), tools('1.0.0', '1.0', { react: ['useState', 'use'] })],
    ['tools@1.0.0 imports use from react, which the shell does not provide (shell@1.0.0)'],
  ],
  [
    'the canary of either side',
    [shell('1.0.0', '1.1'), shell('1.1.0', '1.0'), tools('1.0.0', '1.0'), tools('1.1.0', '1.1')],
    ['tools@1.1.0 requires host API 1.1, the shell provides 1.0 (shell@1.1.0)'],
  ],
  [
    'one page of two units',
    [
      buildRelease('tools', { routes: [buildRoute('/gate')] }),
      buildRelease('gates', { routes: [buildRoute('/gate')] }),
    ],
    ['/gate is a page of both tools@0.1.0 and gates@0.1.0'],
  ],
  [
    'one page of two releases of a unit',
    [tools('1.0.0', '1.0'), tools('1.1.0', '1.0')].map((release) => ({ ...release, routes: [buildRoute('/gate')] })),
    [],
  ],
])('%s', (_what, releases, incompatibilities) => {
  expect(findIncompatibilities(serve(...releases))).toEqual(incompatibilities);
});

test('incompatibilities that existed before the change are ignored', () => {
  const before = serve(shell('1.0.0', '1.0'), tools('1.0.0', '1.1'));

  expect(findNewIncompatibilities(before, withRelease(before, tools('1.1.0', '1.2')))).toEqual([
    'tools@1.1.0 requires host API 1.2, the shell provides 1.0 (shell@1.0.0)',
  ]);
});

describeEachDatabase('changes of channels and the contract', (db) => {
  const deps = () => ({ db: db() });
  const add = ({ unit, version, contract }: Release) => addRelease(db(), unit, version, { contract });

  test('rejects a canary of the shell that is incompatible with a remote', async () => {
    for (const release of [shell('1.0.0', '1.1'), shell('2.0.0', '2.0'), tools('1.0.0', '1.1')]) await add(release);
    await promoteReleases(deps(), [{ unit: 'shell', version: '1.0.0' }], ACT);
    await promoteReleases(deps(), [{ unit: 'tools', version: '1.0.0' }], ACT);

    expect(await openCanary(deps(), 'shell', { percent: 1 }, ACT)).toEqual({
      outcome: 'refused',
      why: 'misfit',
      problems: ['tools@1.0.0 requires host API 1.1, the shell provides 2.0 (shell@2.0.0)'],
    });
  });

  test('a rollback of the shell keeps a remote whose fallback alone needs the newer shell', async () => {
    for (const release of [shell('1.0.0', '1.0'), shell('1.1.0', '1.1'), tools('1.0.0', '1.0'), tools('1.1.0', '1.1')])
      await add(release);
    for (const version of ['1.0.0', '1.1.0'])
      for (const unit of ['shell', 'tools']) await promoteReleases(deps(), [{ unit, version }], ACT);

    expect(await rollBackUnit(deps(), 'tools', undefined, ACT)).toEqual({ outcome: 'moved' });
    expect(await rollBackUnit(deps(), 'shell', undefined, ACT)).toEqual({ outcome: 'moved' });
  });

  test('a rollback that removes one of two incompatibilities is not rejected for the other', async () => {
    for (const release of [shell('1.0.0', '1.0'), tools('1.0.0', '1.0'), tools('1.1.0', '1.1')]) await add(release);
    await addRelease(db(), 'marketing', '1.0.0', { contract: { version: '1.1' } });
    const channels = createChannelsRepository(db());
    await channels.save('shell', { stable: '1.0.0' });
    await channels.save('marketing', { stable: '1.0.0' });
    await channels.save('tools', { stable: '1.1.0' });

    expect(await rollBackUnit(deps(), 'tools', '1.0.0', ACT)).toEqual({ outcome: 'moved' });
  });
});
