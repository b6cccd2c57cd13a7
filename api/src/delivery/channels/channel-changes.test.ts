import type { ChannelMove } from '@app/contracts/channel-move';
import { describe, expect, test } from 'vitest';
import { addRelease, listChannelChanges } from '#api/test/delivery/add-release.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { readAudit } from '#api/test/sealed.ts';
import { haltCanary, changeChannel, promoteReleases } from './channel-changes.ts';
import { findChannels } from '#api/delivery/registry/list-registry.ts';
import { openRegistry } from '#api/delivery/registry/registry.ts';

const NOW = Date.parse('2026-12-01T12:00Z');
const BY_OLGA = { by: 'olga', at: NOW };
const BY_OLGA_LATER = { by: 'olga', at: NOW + 120_000 };

describeEachDatabase('changes of channels', (db) => {
  async function createUnit(...versions: string[]) {
    for (const [nth, version] of versions.entries()) await addRelease(db(), 'tools', version, {}, nth);
    const registry = await openRegistry(db());
    let nth = 0;

    return {
      registry,
      /** Makes a change, a second after the one before. Returns the outcome or the problems. */
      change: async (change: ChannelMove, by = 'tess', unit = 'tools') => {
        const changed = await changeChannel({ db: db(), registry }, unit, change, { by, at: NOW + ++nth * 1000 });
        return 'problems' in changed ? [changed.why, ...changed.problems].join(': ') : changed.outcome;
      },
      stand: async () => {
        const { stable, canary, lastGood } = (await findChannels(db(), 'tools')) ?? {};
        return { stable, canary: canary ? `${canary.version} ${canary.percent}` : null, lastGood };
      },
    };
  }

  test('a canary is opened, grows and is promoted; the previous version becomes the fallback', async () => {
    const { change, stand, registry } = await createUnit('1.0.0', '1.1.0');

    expect(await change({ action: 'promote', version: '1.0.0' })).toBe('moved');
    expect(await change({ action: 'canary', percent: 0.01 })).toBe('moved');
    expect(await stand()).toEqual({ stable: '1.0.0', canary: '1.1.0 0.01', lastGood: null });
    expect(await change({ action: 'canary', percent: 12.5 })).toBe('moved');
    expect(registry.snapshot().units.get('tools')?.canary).toMatchObject({ share: 1250 });
    expect(await change({ action: 'promote' })).toBe('moved');

    expect(await stand()).toEqual({ stable: '1.1.0', canary: null, lastGood: '1.0.0' });
    expect(registry.snapshot().units.get('tools')).toMatchObject({
      stable: { version: '1.1.0' },
      lastGood: { version: '1.0.0' },
    });
    expect(await listChannelChanges(db())).toEqual([
      'promoted tools 1.0.0 by tess',
      'canary opened tools 1.1.0 by tess',
      'canary opened tools 1.1.0 by tess',
      'promoted tools 1.1.0 by tess',
    ]);
  });

  test('a rollback ends a canary, and the version rolled back is no fallback until promoted again', async () => {
    const { change, stand } = await createUnit('1.0.0', '1.1.0', '1.2.0', '1.3.0');
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await change({ action: 'promote', version });
    await change({ action: 'canary', percent: 10 });
    expect(await stand()).toEqual({ stable: '1.2.0', canary: '1.3.0 10', lastGood: '1.1.0' });

    expect(await change({ action: 'rollback' })).toBe('moved');
    expect(await stand()).toEqual({ stable: '1.1.0', canary: null, lastGood: '1.0.0' });
    expect(await change({ action: 'promote', version: '1.2.0' })).toBe('moved');
    expect(await stand()).toMatchObject({ stable: '1.2.0', lastGood: '1.1.0' });
    expect(await change({ action: 'rollback', version: '1.0.0' })).toBe('moved');
    expect(await stand()).toEqual({ stable: '1.0.0', canary: null, lastGood: '1.1.0' });
  });

  test('the current canary is never the fallback, even if it was stable before', async () => {
    const { change, stand, registry } = await createUnit('1.0.0', '1.1.0', '1.2.0');
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await change({ action: 'promote', version });
    await change({ action: 'canary', version: '1.1.0', percent: 10 });

    expect(registry.snapshot().units.get('tools')?.lastGood?.version).toBe('1.0.0');
    expect(await stand()).toEqual({ stable: '1.2.0', canary: '1.1.0 10', lastGood: '1.0.0' });
    await change({ action: 'rollback' });
    expect(await stand()).toEqual({ stable: '1.0.0', canary: null, lastGood: '1.1.0' });
  });

  test('a halted canary is removed for all visitors, and the channel states the reason', async () => {
    const { change, stand, registry } = await createUnit('1.0.0', '1.1.0');
    await change({ action: 'promote', version: '1.0.0' });
    await change({ action: 'canary', percent: 10 });

    expect(await change({ action: 'halt', reason: 'blank page' })).toBe('moved');
    expect(await stand()).toEqual({ stable: '1.0.0', canary: null, lastGood: null });
    expect(await findChannels(db(), 'tools')).toMatchObject({
      halted: { version: '1.1.0', reason: 'blank page', at: NOW + 3000 },
      moved: { by: 'tess' },
    });
    expect(registry.snapshot().units.get('tools')?.canary).toBeUndefined();

    const refused =
      'impossible: tools@1.1.0 was halted: blank page. Name it with --again if it is to be served all the same';
    for (const unnamed of [{ percent: 10 }, { percent: 10, again: true }, { percent: 10, version: '1.1.0' }])
      expect(await change({ action: 'canary', ...unnamed })).toBe(refused);
    expect(await change({ action: 'promote', version: '1.1.0' })).toBe(refused);
    expect(await findChannels(db(), 'tools')).toMatchObject({ halted: { version: '1.1.0' }, canary: null });

    await change({ action: 'canary', percent: 10, version: '1.1.0', again: true });
    expect(await findChannels(db(), 'tools')).toMatchObject({ halted: null, canary: { version: '1.1.0' } });
    await change({ action: 'halt', reason: 'blank again' });
    await change({ action: 'promote', version: '1.1.0', again: true });
    expect(await findChannels(db(), 'tools')).toMatchObject({ halted: null, stable: '1.1.0' });
  });

  test('a halted canary is never the fallback, even if it was stable before', async () => {
    const { change, stand } = await createUnit('1.0.0', '1.1.0', '1.2.0');
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await change({ action: 'promote', version });
    await change({ action: 'canary', version: '1.1.0', percent: 10 });
    await change({ action: 'halt', reason: 'blank page' });

    expect(await stand()).toEqual({ stable: '1.2.0', canary: null, lastGood: '1.0.0' });
  });

  test('a lock prevents every change, even by its owner, and reports who, why and since when', async () => {
    const { change, stand } = await createUnit('1.0.0', '1.1.0', '1.2.0');
    for (const version of ['1.0.0', '1.1.0']) await change({ action: 'promote', version });
    await change({ action: 'canary', percent: 10 });
    const before = await stand();
    expect(await change({ action: 'lock', reason: 'tournament' }, 'olga')).toBe('moved');

    const locked = 'locked: tools is locked by olga since 2026-12-01T12:00:04Z: tournament';
    for (const action of [
      { action: 'promote' },
      { action: 'rollback' },
      { action: 'canary', percent: 20 },
      { action: 'halt', reason: 'blank page' },
      { action: 'lock', reason: 'my own' },
    ] as const)
      for (const by of ['tess', 'olga']) expect(await change(action, by)).toBe(locked);
    expect(await stand()).toEqual(before);

    expect(await change({ action: 'unlock' })).toBe('moved');
    expect(await change({ action: 'unlock' })).toBe('unchanged');
    expect(await change({ action: 'promote' })).toBe('moved');
  });

  test('a lock does not prevent an automatic halt', async () => {
    const { change, stand } = await createUnit('1.0.0', '1.1.0');
    await change({ action: 'promote', version: '1.0.0' });
    await change({ action: 'canary', percent: 10 });
    await change({ action: 'lock', reason: 'tournament' });
    const halt = { reason: 'fails', isAutomatic: true };

    expect(await haltCanary({ db: db() }, 'tools', { ...halt, version: '1.2.0' }, BY_OLGA)).toMatchObject({
      why: 'impossible',
    });
    expect(await haltCanary({ db: db() }, 'tools', { ...halt, version: '1.1.0' }, BY_OLGA)).toEqual({
      outcome: 'moved',
    });
    expect(await stand()).toMatchObject({ canary: null });
  });

  test.each<[string, ChannelMove, string]>([
    [
      'a version that was never published',
      { action: 'promote', version: '9.0.0' },
      'unknown: tools@9.0.0 was never published',
    ],
    [
      'a canary of no such version',
      { action: 'canary', version: '9.0.0', percent: 1 },
      'unknown: tools@9.0.0 was never published',
    ],
    [
      'a rollback to an unknown version',
      { action: 'rollback', version: '9.0.0' },
      'unknown: tools@9.0.0 was never published',
    ],
    [
      'the canary that is not there',
      { action: 'promote' },
      'impossible: tools has no canary to promote; name a version',
    ],
    ['a halt without a canary', { action: 'halt', reason: 'why not' }, 'impossible: tools has no canary'],
    [
      'a rollback without a last good version',
      { action: 'rollback' },
      'impossible: tools has no earlier version that was good; name a version',
    ],
    [
      'the stable version as a canary',
      { action: 'canary', version: '1.0.0', percent: 1 },
      'impossible: tools@1.0.0 is the stable release: all visitors have it',
    ],
  ])('rejects %s with its error code', async (_what, wrong, words) => {
    const { change, registry } = await createUnit('1.0.0');
    await change({ action: 'promote', version: '1.0.0' });
    const { revision } = registry.snapshot();

    expect(await change(wrong)).toBe(words);
    await registry.refresh();
    expect(registry.snapshot().revision).toBe(revision);
    expect(await listChannelChanges(db())).toHaveLength(1);
  });

  test('rejects an unknown unit, and a canary of a unit without a stable release', async () => {
    const { change } = await createUnit('1.0.0');

    expect(await change({ action: 'promote' }, 'tess', 'shop')).toBe('unknown: No unit has the name shop');
    expect(await change({ action: 'canary', percent: 1 })).toBe(
      'impossible: tools has no stable release beside which a canary could be; promote a version first',
    );
    expect(await change({ action: 'canary', percent: 1 }, 'tess', 'marketing')).toBe(
      'unknown: marketing has no release',
    );
  });

  test('a repeated change succeeds and is not recorded twice', async () => {
    const { change } = await createUnit('1.0.0', '1.1.0');

    for (const outcome of ['moved', 'unchanged'])
      expect(await change({ action: 'promote', version: '1.0.0' })).toBe(outcome);
    for (const outcome of ['moved', 'unchanged'])
      expect(await change({ action: 'canary', version: '1.1.0', percent: 5 })).toBe(outcome);
    expect(await change({ action: 'rollback', version: '1.0.0' })).toBe('moved');
    expect(await change({ action: 'rollback', version: '1.0.0' })).toBe('unchanged');
    expect(await listChannelChanges(db())).toHaveLength(3);
  });

  test('several units are changed together or not at all', async () => {
    await createUnit('2.0.0');
    await addRelease(db(), 'shell', '2.0.0', { contract: { version: '2.0' } });
    const wanted = [
      { unit: 'shell', version: '2.0.0' },
      { unit: 'tools', version: '2.0.0' },
    ];

    expect(await promoteReleases({ db: db() }, wanted, BY_OLGA)).toMatchObject({ why: 'misfit' });
    expect(await findChannels(db(), 'shell')).toMatchObject({ stable: null });
    await addRelease(db(), 'tools', '2.0.1', { contract: { version: '2.0' } });
    wanted[1] = { unit: 'tools', version: '2.0.1' };
    expect(await promoteReleases({ db: db() }, wanted, BY_OLGA)).toEqual({ outcome: 'moved' });
    expect(await listChannelChanges(db())).toEqual(['promoted shell 2.0.0 by olga', 'promoted tools 2.0.1 by olga']);
  });

  describe('a rollback of the shell', () => {
    /** A shell at 1.2 beside units that were served with each of its versions. */
    async function createSite(versions: Record<string, readonly string[]>) {
      const site = await createUnit();
      let at = 0;
      for (const nth of [0, 1, 2])
        for (const unit of ['shell', ...Object.keys(versions)]) {
          const api = (versions[unit] ?? ['1.0', '1.1', '1.2'])[nth];
          if (api === undefined) continue;
          const version = `1.${nth}.0`;
          await addRelease(db(), unit, version, { contract: { version: api } }, at++);
          expect(await site.change({ action: 'promote', version }, 'tess', unit)).toBe('moved');
        }
      const rollBack = (version?: string) =>
        changeChannel({ db: db(), registry: site.registry }, 'shell', { action: 'rollback', version }, BY_OLGA_LATER);
      const standOf = async (unit: string) => (await findChannels(db(), unit))?.stable;
      return { ...site, rollBack, standOf };
    }

    test('rolls back units that need its newer host API to their last good version that fits, and reports it', async () => {
      const { rollBack, standOf } = await createSite({
        tools: ['1.0', '1.1', '1.2'],
        marketing: ['1.0', '1.0', '1.0'],
      });

      expect(await rollBack()).toMatchObject({
        outcome: 'moved',
        channels: { unit: 'shell', stable: '1.1.0' },
        others: [{ unit: 'tools', stable: '1.1.0', lastGood: '1.0.0', moved: { by: 'olga' } }],
      });
      expect(await standOf('marketing')).toBe('1.2.0');
      expect((await listChannelChanges(db())).slice(-2).sort()).toEqual([
        'rolled back shell 1.1.0 by olga',
        'rolled back tools 1.1.0 by olga',
      ]);
      expect(await rollBack('1.0.0')).toMatchObject({ others: [{ unit: 'tools', stable: '1.0.0' }] });
    });

    test('skips last good versions that do not fit either, and those that were rolled back', async () => {
      const { rollBack, change } = await createSite({ tools: ['1.0', '1.0', '1.2'] });
      await addRelease(db(), 'tools', '1.3.0', { contract: { version: '1.2' } });
      await change({ action: 'promote', version: '1.3.0' });
      expect(await rollBack('1.0.0')).toMatchObject({ others: [{ unit: 'tools', stable: '1.1.0' }] });
    });

    test('succeeds across a major version of the host API, where neither unit could be rolled back first', async () => {
      const { rollBack } = await createSite({ tools: ['1.0', '1.1', '1.2'] });
      await addRelease(db(), 'shell', '2.0.0', { contract: { version: '2.0' } });
      await addRelease(db(), 'tools', '2.0.0', { contract: { version: '2.0' } });
      const together = [
        { unit: 'shell', version: '2.0.0' },
        { unit: 'tools', version: '2.0.0' },
      ];
      expect(await promoteReleases({ db: db() }, together, { by: 'olga', at: NOW + 60_000 })).toEqual({
        outcome: 'moved',
      });

      expect(await rollBack()).toMatchObject({ others: [{ unit: 'tools', stable: '1.2.0' }] });
    });

    test('ends a canary that needs the newer host API, and leaves the stable version', async () => {
      const { rollBack, change } = await createSite({ tools: ['1.0', '1.0', '1.0'] });
      await addRelease(db(), 'tools', '1.3.0', { contract: { version: '1.2' } }, 99);
      await change({ action: 'canary', version: '1.3.0', percent: 10 });

      expect(await rollBack()).toMatchObject({ others: [{ unit: 'tools', stable: '1.2.0', canary: null }] });
    });

    test('does not select a unit’s canary, even if it was stable before and fits', async () => {
      const { rollBack, change } = await createSite({ tools: ['1.0', '1.1', '1.2'] });
      await change({ action: 'canary', version: '1.1.0', percent: 10 });

      expect(await rollBack()).toMatchObject({ others: [{ unit: 'tools', stable: '1.0.0', canary: null }] });
    });

    test('is named in the audit of each unit rolled back with it', async () => {
      const { rollBack } = await createSite({ tools: ['1.0', '1.1', '1.2'] });
      await rollBack();

      expect(await readAudit(db())).toContainEqual({
        kind: 'channel',
        code: 'rolled back',
        detail: expect.objectContaining({ unit: 'tools', with: 'shell@1.1.0' }) as object,
      });
    });

    test('is rejected if a unit is locked or has no version that fits, and the error says what to do', async () => {
      const { rollBack, change, standOf } = await createSite({ tools: ['1.0', '1.1', '1.2'] });
      await addRelease(db(), 'marketing', '1.0.0', { contract: { version: '1.2' } });
      await change({ action: 'promote', version: '1.0.0' }, 'tess', 'marketing');
      expect(await rollBack('1.1.0')).toMatchObject({
        why: 'misfit',
        problems: [
          'marketing@1.0.0 requires host API 1.2, the shell provides 1.1 (shell@1.1.0), and no version of marketing that was good fits. Publish one that does and promote it, or name another version of the shell',
        ],
      });
      await change({ action: 'lock', reason: 'tournament' }, 'olga', 'marketing');
      expect(await rollBack('1.1.0')).toMatchObject({ why: 'locked' });
      expect(await standOf('shell')).toBe('1.2.0');
    });
  });
});
