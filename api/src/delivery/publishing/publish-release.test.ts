import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { makeFolder, writeFiles } from '#api/test/make-folder.ts';
import { makeRelease, withFile } from '#api/test/delivery/pack-release.ts';
import { publishRelease } from './publish-release.ts';
import { openRegistry } from '#api/delivery/registry/registry.ts';
import { openReleaseStore, type ReleaseStore } from '#api/delivery/store/release-store.ts';
import { readAudit } from '#api/test/sealed.ts';

const ACT = { by: 'Team tools', at: 1 };
const FILES = makeRelease('tools', '0.2.0');

class Killed extends Error {}

async function stage(store: ReleaseStore, files = FILES): Promise<string> {
  return writeFiles(await store.stage(), files);
}

/** A store that dies in a step, before or after its work. Nothing is discarded afterwards, as in a dead process. */
function dieIn(store: ReleaseStore, step: 'settle' | 'keep' | 'examine', moment: 'before' | 'after'): ReleaseStore {
  const original = store[step] as (...given: string[]) => Promise<unknown>;
  return {
    ...store,
    discard: () => Promise.resolve(),
    async [step](...given: string[]) {
      if (moment === 'after') await original(...given);
      throw new Killed();
    },
  };
}

describeEachDatabase('publishing', (db) => {
  test.each([
    ['examine', 'after'],
    ['settle', 'before'],
    ['settle', 'after'],
    ['keep', 'before'],
    ['keep', 'after'],
  ] as const)(
    'threat 38: a publication killed in %s, %s its work, leaves no registered release, and the same call succeeds',
    async (step, moment) => {
      const store = await openReleaseStore(makeFolder());

      const dying = dieIn(store, step, moment);
      await expect(publishRelease({ db: db(), store: dying }, await stage(store), ACT)).rejects.toThrow(Killed);
      expect(await (await openRegistry(db())).find('tools', '0.2.0')).toBeUndefined();
      expect(await audited(db())).toEqual([]);

      expect(await publishRelease({ db: db(), store }, await stage(store), ACT)).toMatchObject({
        outcome: 'published',
      });
      expect(await store.examine('tools', '0.2.0')).toEqual([]);
      expect(await audited(db())).toEqual(['published']);
    },
  );

  test('after a kill before the commit, the next publication of the version succeeds, whatever its files', async () => {
    const store = await openReleaseStore(makeFolder());
    const path = join(store.folder, 'tools/0.2.0');
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'left.js'), 'of a publication that was killed');

    expect(await publishRelease({ db: db(), store }, await stage(store), ACT)).toMatchObject({ outcome: 'published' });
    expect(existsSync(join(path, 'left.js'))).toBe(false);
    expect(readdirSync(join(store.folder, '.incoming'))).toEqual([]);
  });

  test('a hashed file name is unique to its content across releases of a unit, other names only within one', async () => {
    const store = await openReleaseStore(makeFolder());
    const publish = async (version: string, name: string, content: string) =>
      publishRelease(
        { db: db(), store },
        await stage(store, withFile(makeRelease('tools', version), name, Buffer.from(content))),
        ACT,
      );

    expect(await publish('0.3.0', 'a.0a1b2c3d.js', 'one')).toMatchObject({ outcome: 'published' });
    expect(await publish('0.3.1', 'a.0a1b2c3d.js', 'one')).toMatchObject({ outcome: 'published' });
    expect(await publish('0.3.2', 'a.0a1b2c3d.js', 'two')).toMatchObject({
      outcome: 'refused',
      problems: [expect.stringMatching(/^a\.0a1b2c3d\.js has other content in 0\.3\.[01]: /)],
    });
    expect(await publish('0.3.3', 'a.js', 'one')).toMatchObject({ outcome: 'published' });
    expect(await publish('0.3.4', 'a.js', 'two')).toMatchObject({ outcome: 'published' });
  });

  test('of two concurrent publications of one release both succeed and one is recorded', async () => {
    const store = await openReleaseStore(makeFolder());
    const staged = [await stage(store), await stage(store)];

    const published = await Promise.all(staged.map((folder) => publishRelease({ db: db(), store }, folder, ACT)));

    expect(published.map(({ outcome }) => outcome).sort()).toEqual(['published', 'unchanged']);
    expect(await audited(db())).toEqual(['published']);
    expect(await store.examine('tools', '0.2.0')).toEqual([]);
    expect(readdirSync(join(store.folder, '.incoming'))).toEqual([]);
  });
});

test('files left half a day ago by a dead process are removed while the server runs; recent ones stay', async () => {
  const store = await openReleaseStore(makeFolder());
  const [old, young] = [await stage(store), await stage(store)];
  const halfADayAgo = Date.now() / 1000 - 12 * 60 * 60;
  utimesSync(old, halfADayAgo, halfADayAgo);

  expect(await store.removeLeftovers()).toBe(1);
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
});

async function audited(db: Db): Promise<string[]> {
  return (await readAudit(db)).map(({ code }) => code);
}
