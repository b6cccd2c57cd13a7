import { expect, test } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { addRelease, listChannelChanges } from '#api/test/delivery/add-release.ts';
import { describeRace, meet } from '#api/test/databases/describe-each-database.ts';
import { findChannels } from '#api/delivery/registry/list-registry.ts';
import { markStable, promoteReleases, rollBackUnit } from './channel-changes.ts';
import { createChannelsRepository, createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';

const AT = Date.parse('2026-12-01T12:00Z');

describeRace('changes that wait for each other', (db) => {
  const promote = (version: string, by: string) =>
    promoteReleases({ db: db() }, [{ unit: 'tools', version }], { by, at: AT });

  /** The statements of a promotion, in a transaction that is still open. */
  async function promoteInside(trx: Db, version: string) {
    const channels = createChannelsRepository(trx);
    const releases = createReleasesRepository(trx);
    await channels.begin();
    const { stable = null } = (await channels.find('tools'))?.channel ?? {};
    await markStable({ releases }, { unit: 'tools', stable, version, at: AT + 1 });
    await channels.save('tools', { stable: version });
  }

  test('a promotion waits for the one before it, and sees its result', async () => {
    for (const version of ['1.0.0', '1.1.0']) await addRelease(db(), 'tools', version);

    const changed = await meet(
      db(),
      (trx) => promoteInside(trx, '1.0.0'),
      () => promote('1.1.0', 'two'),
    );

    expect(changed).toEqual({ outcome: 'moved' });
    expect(await findChannels(db(), 'tools')).toMatchObject({ stable: '1.1.0', lastGood: '1.0.0' });
  });

  test('a rollback that waits for a promotion rolls back the promoted version', async () => {
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await addRelease(db(), 'tools', version);
    await promote('1.0.0', 'one');
    await promote('1.1.0', 'one');

    await meet(
      db(),
      (trx) => promoteInside(trx, '1.2.0'),
      () => rollBackUnit({ db: db() }, 'tools', undefined, { by: 'two', at: AT + 2 }),
    );

    expect(await findChannels(db(), 'tools')).toMatchObject({ stable: '1.1.0' });
    expect((await listChannelChanges(db())).at(-1)).toBe('rolled back tools 1.1.0 by two');
  });
});
