import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { makeRelease, packTar, withServerBundle } from '#api/test/delivery/pack-release.ts';
import { SHELL_BUNDLE } from '#api/test/delivery/server-bundles.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';
import { collectGarbage } from '#api/delivery/publishing/collect-garbage.ts';
import { createObtainReleases } from './obtain-releases.ts';
import { promoteReleases, rollBackUnit } from '#api/delivery/channels/channel-changes.ts';
import { openRegistry } from '#api/delivery/registry/registry.ts';
import { createReleaseHealth } from '#api/delivery/store/release-health.ts';
import { openReleaseStore } from '#api/delivery/store/release-store.ts';

const TOOLS_RELEASE = { unit: 'tools', version: '0.2.0' };
/** Random, so that its archive takes several pieces. */
const LARGE_CONTENT = randomBytes(400_000).toString('base64');
const FILES = withServerBundle(makeRelease('tools', '0.2.0'), `${SHELL_BUNDLE}\n// ${LARGE_CONTENT}`);

/** A server that has published, and another one on the same database with an empty folder. */
async function openTwo(db: Db) {
  const first = await createPublishFixture(db);
  const store = await openReleaseStore(join(makeFolder(), 'releases'));
  const health = createReleaseHealth(store.folder, () => undefined);
  const reported: { version: string; problem?: string }[] = [];
  const open = (folder = store, retryMs = 0) =>
    createObtainReleases({ db, store: folder, health, report: (news) => reported.push(news), retryMs });
  const obtaining = open();
  const act = { by: 'test', at: 1 };

  return {
    first,
    reported,
    store,
    health,
    open,
    obtaining,
    promote: (version: string) => promoteReleases({ db }, [{ unit: 'tools', version }], act),
    openRegistry: () =>
      openRegistry(
        db,
        (served) => health.inspect(served),
        (served) => obtaining.obtain(served, 5000),
      ),
    /** Changes the archive of a release in the database. */
    spoil: async (change: (content: Buffer) => Uint8Array | Promise<Uint8Array>, { unit, version } = TOOLS_RELEASE) => {
      const rows = await db
        .selectFrom('releasePiece')
        .selectAll()
        .where('unit', '=', unit)
        .where('version', '=', version)
        .orderBy('position')
        .execute();
      const whole = await change(Buffer.concat(rows.map(({ content }) => content)));
      await db.deleteFrom('releasePiece').where('unit', '=', unit).where('version', '=', version).execute();
      await db.insertInto('releasePiece').values({ unit, version, position: 0, content: whole }).execute();
    },
    loseArchive: (version: string) => db.deleteFrom('releasePiece').where('version', '=', version).execute(),
  };
}

describeEachDatabase('releases that the database has', (db) => {
  test('every published release is replicated unchanged, once, including files not served to visitors', async () => {
    const { first, store, obtaining, reported } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);

    await obtaining.turn();
    for (const [name, content] of FILES)
      expect(readFileSync(join(store.folder, 'tools/0.2.0', name)).equals(content), name).toBe(true);
    expect(await store.examine('tools', '0.2.0')).toEqual([]);
    expect(await store.examine('shell', '0.1.0')).toEqual([]);
    expect(readdirSync(join(store.folder, '.incoming'))).toEqual([]);
    expect(reported.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined]);

    await obtaining.turn();
    expect(reported).toHaveLength(3);
  });

  test('concurrent requests for a release fetch it once', async () => {
    const { first, obtaining, reported } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);

    expect(
      await Promise.all([obtaining.obtain([TOOLS_RELEASE], 5000), obtaining.obtain([TOOLS_RELEASE], 5000)]),
    ).toEqual([new Set(), new Set()]);
    expect(reported).toHaveLength(1);
  });

  test('a release damaged on the disk is repaired', async () => {
    const { store, obtaining, openRegistry, health } = await openTwo(db());
    await openRegistry();
    const file = join(store.folder, 'tools/0.1.0/static/css/a.css');
    const before = readFileSync(file);
    writeFileSync(file, 'x');
    rmSync(join(store.folder, 'tools/0.1.0/release.json'));
    for (let turns = 0; turns < 10; turns++) await health.turn();
    expect(health.findDamage({ unit: 'tools', version: '0.1.0' })).toBeDefined();

    await obtaining.turn();
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(await store.examine('tools', '0.1.0')).toEqual([]);
  });

  test('a release published by a server of an earlier version gets its archive from a server that has its files', async () => {
    const { first, open, obtaining, store, loseArchive } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);
    await loseArchive('0.2.0');
    expect(await obtaining.obtain([TOOLS_RELEASE], 5000)).toEqual(new Set([TOOLS_RELEASE]));

    await open(first.store).turn();
    expect(await obtaining.obtain([TOOLS_RELEASE], 5000)).toEqual(new Set());
    expect(await store.examine('tools', '0.2.0')).toEqual([]);
  });

  test('a release that could not be fetched is retried after a pause, even when requested', async () => {
    const { first, open, store, spoil } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);
    await spoil((content) => content.subarray(0, -100));
    const patient = open(store, 60_000);
    await patient.turn();
    await first.publish('tools', '0.2.0', FILES);

    await patient.turn();
    expect((await patient.obtain([TOOLS_RELEASE], 5000)).size).toBe(1);
    expect((await open().obtain([TOOLS_RELEASE], 5000)).size).toBe(0);
  });

  test('an archive is removed with its release', async () => {
    const { first } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);
    const archived = () =>
      db().selectFrom('releasePiece').select('version').distinct().where('unit', '=', 'tools').execute();
    expect(await archived()).toHaveLength(2);
    expect(
      await db().selectFrom('releasePiece').select('position').where('version', '=', '0.2.0').execute(),
    ).toHaveLength(2);

    await collectGarbage({ db: db(), store: first.store }, { by: 'test', at: Date.now() + 31 * 24 * 60 * 60 * 1000 });
    expect(await archived()).toEqual([{ version: '0.1.0' }]);
  });

  test('until a release is fetched, visitors get the previous one', async () => {
    const { first, openRegistry, promote, loseArchive, open } = await openTwo(db());
    const there = await openRegistry();
    const served = () => there.snapshot().units.get('tools')?.stable.version;
    expect(served()).toBe('0.1.0');

    await first.publish('tools', '0.2.0', FILES);
    await loseArchive('0.2.0');
    await promote('0.2.0');
    await there.refresh();
    expect(served()).toBe('0.1.0');

    await open(first.store).turn();
    await there.refresh();
    expect(served()).toBe('0.2.0');
  });

  test('a server that starts without the stable release serves the last good one, or another local one', async () => {
    const { first, openRegistry, promote, loseArchive, obtaining } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);
    await first.publish('tools', '0.3.0', makeRelease('tools', '0.3.0'));
    await promote('0.2.0');
    await loseArchive('0.2.0');
    const served = async () => (await openRegistry()).snapshot().units.get('tools')?.stable.version;

    expect(await served()).toBe('0.1.0');
    await db().updateTable('release').set({ lastStableAt: null }).where('version', '=', '0.1.0').execute();
    // Published, and never promoted.
    expect(await served()).toBeUndefined();
    await db().updateTable('release').set({ publishedBy: 'start' }).where('version', '=', '0.3.0').execute();
    expect(await served()).toBe('0.3.0');
    expect((await obtaining.obtain([TOOLS_RELEASE], 5000)).size).toBe(1);
  });

  test('a withdrawn release is no longer served, even if the previous one cannot be fetched', async () => {
    const { first, openRegistry, promote, loseArchive } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);
    await first.publish('tools', '0.3.0', makeRelease('tools', '0.3.0'));
    await promote('0.2.0');
    await loseArchive('0.2.0');
    await promote('0.3.0');
    const there = await openRegistry();
    const served = () => there.snapshot().units.get('tools')?.stable.version;
    expect(served()).toBe('0.3.0');

    await rollBackUnit({ db: db() }, 'tools', undefined, { by: 'test', at: 3 });
    await there.refresh();
    expect(served()).toBe('0.1.0');
  });

  test('a damaged archive is repaired by republishing the same release', async () => {
    const { first, obtaining, spoil } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);
    await spoil((content) => content.subarray(0, -100));
    expect((await obtaining.obtain([TOOLS_RELEASE], 5000)).size).toBe(1);

    expect((await first.publish('tools', '0.2.0', FILES)).status).toBe(200);
    expect((await obtaining.obtain([TOOLS_RELEASE], 5000)).size).toBe(0);
  });

  test('a server without any release of a unit reports it, and is not ready', async () => {
    const { first, openRegistry, loseArchive, promote } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);
    await promote('0.2.0');
    await rollBackUnit({ db: db() }, 'tools', undefined, { by: 'test', at: 2 });
    await loseArchive('0.1.0');

    // A withdrawn release is no fallback.
    const { units, unserved } = (await openRegistry()).snapshot();
    expect([...units.keys()]).toEqual([]);
    expect(unserved).toEqual(['shell', 'tools']);
  });

  test.each([
    { what: 'broken off', change: (content: Buffer) => content.subarray(0, -100) },
    { what: 'no archive', change: (content: Buffer) => Buffer.from(content).fill(7) },
    {
      what: 'of other files',
      change: async () => gzipSync(await packTar(makeRelease('tools', '0.2.0', { commit: 'c'.repeat(40) }))),
    },
    { what: 'of another release', change: async () => gzipSync(await packTar(makeRelease('tools', '0.9.0'))) },
    {
      what: 'of a name that leads out of the folder',
      change: async () => gzipSync(await packTar(new Map([['../../outside.js', Buffer.from('x')]]))),
    },
  ])('threat 44: an archive that is $what is rejected, and reported once', async ({ change }) => {
    const { first, store, obtaining, spoil, reported } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);
    await spoil(change);

    await obtaining.turn();
    await obtaining.turn();
    expect(existsSync(join(store.folder, 'tools/0.2.0'))).toBe(false);
    expect(existsSync(join(store.folder, '../outside.js'))).toBe(false);
    expect(readdirSync(join(store.folder, '.incoming'))).toEqual([]);
    expect(reported.filter(({ problem }) => problem !== undefined)).toHaveLength(1);
  });

  test('a local release with a different file list is fetched again, also after a restart', async () => {
    const { first, obtaining, open, store } = await openTwo(db());
    await obtaining.obtain([{ unit: 'tools', version: '0.1.0' }], 5000);
    const list = join(store.folder, 'tools/0.1.0/release.json');
    const published = readFileSync(list, 'utf8');
    writeFileSync(list, `${published}\n`);

    expect((await open().obtain([{ unit: 'tools', version: '0.1.0' }], 5000)).size).toBe(0);
    expect(readFileSync(list, 'utf8')).toBe(published);
    expect(first.store.folder).not.toBe(store.folder);
  });
});
