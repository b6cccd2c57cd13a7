import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { transactChange } from './change-channels.ts';
import { markStable, promoteReleases, rollBackUnit, haltCanary, openCanary } from './channel-changes.ts';
import { createDeployToken } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { findChannels } from '#api/delivery/registry/list-registry.ts';
import { createChannelsRepository, createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import {
  describeRace,
  runConcurrently,
  countWaiting,
  describeEachDatabase,
} from '#api/test/databases/describe-each-database.ts';
import { addRelease, listChannelChanges } from '#api/test/delivery/add-release.ts';
import { makeRelease } from '#api/test/delivery/pack-release.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';
import { readState } from '#api/test/product/visitor-steps.ts';

const NOW = Date.parse('2026-12-01T12:00Z');

describeRace('changes that wait for each other', (db) => {
  const promote = (version: string, by: string) =>
    promoteReleases({ db: db() }, [{ unit: 'tools', version }], { by, at: NOW });

  /** The statements of a promotion, in a transaction that is still open. */
  async function promoteInside(trx: Db, version: string) {
    const channels = createChannelsRepository(trx);
    const releases = createReleasesRepository(trx);
    await channels.begin();
    const { stable = null } = (await channels.find('tools'))?.channel ?? {};
    await markStable({ releases }, { unit: 'tools', stable, version, at: NOW + 1 });
    await channels.save('tools', { stable: version });
  }

  test('a promotion waits for a concurrent one, and sees its result', async () => {
    for (const version of ['1.0.0', '1.1.0']) await addRelease(db(), 'tools', version);

    const changed = await runConcurrently(
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

    await runConcurrently(
      db(),
      (trx) => promoteInside(trx, '1.2.0'),
      () => rollBackUnit({ db: db() }, 'tools', undefined, { by: 'two', at: NOW + 2 }),
    );

    expect(await findChannels(db(), 'tools')).toMatchObject({ stable: '1.1.0' });
    expect((await listChannelChanges(db())).at(-1)).toBe('rolled back tools 1.1.0 by two');
  });
});

/** More than the pool has connections. */
const CHANGE_COUNT = 15;

const FILES = makeRelease('tools', '2.0.0');

async function openSite(db: Db) {
  const site = await createPublishFixture(db);
  await addRelease(db, 'tools', '1.0.0');
  return { site, promote: () => site.change({ action: 'promote', version: '1.0.0' }) };
}

/** Keeps the rows of a table locked, from another connection, while `meanwhile` runs. */
async function holdLock(db: Db, table: string, meanwhile: () => Promise<void>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select 1 from ${sql.table(table)} for update`.execute(trx);
    await meanwhile();
  });
}

describeRace('a registry that another client locks', (db) => {
  test('threat 39: a database lock on the channels blocks only changes of channels, until its release', async () => {
    const { site, promote } = await openSite(db());
    const answers: Response[] = [];

    await holdLock(db(), 'registry_state', async () => {
      const asking = [
        ...Array.from({ length: CHANGE_COUNT }, promote),
        ...Array.from({ length: 2 }, () => site.publish('tools', '2.0.0', FILES)),
      ].map((answer) => answer.then((got) => answers.push(got)));
      await expect.poll(() => answers.length).toBeGreaterThanOrEqual(CHANGE_COUNT + 2 - 3);
      expect(await countWaiting(db())).toBeLessThanOrEqual(1);
      for (let times = 0; times < CHANGE_COUNT; times++) expect(await readState(site)).toMatchObject({ run: null });
      expect((await site.ask('/portfolio')).status).toBe(200);
      // Those that may wait are refused after a while as well.
      await Promise.all(asking);
    });

    for (const answer of answers) expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await promote()).status).toBe(200);
    expect((await site.publish('tools', '2.0.0', FILES)).status).toBe(201);
  });

  test('threat 39: a database lock on a deploy token’s row blocks one request, and no later one', async () => {
    const { site } = await openSite(db());
    // Its use is recorded by its first request, and not again within a minute.
    const by = { by: 'olga', at: site.now() };
    const unused = await createDeployToken({ db: db() }, { unit: 'tools', label: 'CI', days: 1 }, by);
    const change = { action: 'promote', version: '1.0.0' };
    const promote = () =>
      site.sendJson('/api/channels/tools', 'PATCH', change, { authorization: `Bearer ${unused?.token ?? ''}` });
    let first: Promise<Response> | undefined;

    await holdLock(db(), 'deploy_token', async () => {
      first = promote();
      await expect.poll(() => countWaiting(db())).toBe(1);
      for (let times = 0; times < CHANGE_COUNT; times++) expect((await promote()).status).toBe(200);
    });

    expect((await first)?.status).toBe(200);
  });
});

describeEachDatabase('changes of one process', (db) => {
  test('run one after the other; two wait, and the next is rejected at once', async () => {
    const done: number[] = [];
    const changes = [1, 2, 3, 4].map((nth) => transactChange(db(), {}, () => Promise.resolve(done.push(nth))));

    await expect(changes[3]).rejects.toThrow('Other changes of releases are under way');
    expect(await Promise.all(changes.slice(0, 3))).toEqual([1, 2, 3]);
    expect(done).toEqual([1, 2, 3]);
    expect(await transactChange(db(), {}, () => Promise.resolve('later'))).toBe('later');
  });

  test('threat 39: in large numbers do not prevent the site from halting a canary', async () => {
    for (const version of ['1.0.0', '1.1.0']) await addRelease(db(), 'tools', version);
    const by = { by: 'canary watch', at: 1 };
    await promoteReleases({ db: db() }, [{ unit: 'tools', version: '1.0.0' }], by);
    await openCanary({ db: db() }, 'tools', { version: '1.1.0', percent: 10 }, by);

    const flood = [1, 2, 3].map((nth) => transactChange(db(), {}, () => Promise.resolve(nth)));
    const halt = { reason: 'It failed', version: '1.1.0' };
    await expect(haltCanary({ db: db() }, 'tools', halt, by)).rejects.toThrow('Other changes');
    expect(await haltCanary({ db: db() }, 'tools', { ...halt, isAutomatic: true }, by)).toEqual({ outcome: 'moved' });
    expect(await Promise.all(flood)).toEqual([1, 2, 3]);
  });

  test('that fail do not block later ones', async () => {
    const failing = transactChange(db(), {}, () => Promise.reject(new Error('by chance')));
    const next = transactChange(db(), {}, () => Promise.resolve('done'));

    await expect(failing).rejects.toThrow('by chance');
    expect(await next).toBe('done');
  });
});
