import { expect, test } from 'vitest';
import { buildRelease, buildRoute } from '#api/test/delivery/build-release.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { insertReleases } from '#api/test/delivery/insert-releases.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { addUnit, removeUnit } from './units.ts';
import { createChannelsRepository } from '#api/delivery/registry/registry.repository.ts';
import { openReleaseStore } from '#api/delivery/store/release-store.ts';
import { removeFiles } from './collect-garbage.ts';

const ACT = { by: 'olga', at: 1 };

const build = (unit: string, version: string, ...paths: string[]) =>
  buildRelease(unit, { version, routes: paths.map((path) => buildRoute(path)) });

describeEachDatabase('removing a unit', (db) => {
  test('a page that another unit also has does not block a removal, a page only the canary has does', async () => {
    const releases = { db: db(), store: await openReleaseStore(makeFolder()) };
    await addUnit(releases, 'shop', ['/shop', '/hats'], ACT);
    // No change gives two units the same page, but a site may have such units from earlier.
    const all = [
      build('shop', '1.0.0', '/shop'),
      build('shop', '1.1.0', '/shop', '/hats'),
      build('tools', '1.0.0', '/shop'),
    ];
    const channels = { shop: { stable: '1.0.0', canary: '1.1.0' }, tools: { stable: '1.0.0' } };
    await insertReleases(db(), all, channels);

    expect(await removeUnit(releases, 'shop', ACT)).toEqual({
      outcome: 'refused',
      why: 'impossible',
      problems: ['/hats is a page of shop, and no other unit has it'],
    });
    await createChannelsRepository(db()).save('shop', { canary: null });
    expect(await removeUnit(releases, 'shop', ACT)).toMatchObject([{ version: '1.1.0' }, { version: '1.0.0' }]);
    expect(await createChannelsRepository(db()).find('shop')).toBeUndefined();
    expect(await createChannelsRepository(db()).find('tools')).toBeDefined();
  });

  test('a release republished during its removal keeps its files', async () => {
    const store = await openReleaseStore(makeFolder());
    await insertReleases(db(), [build('tools', '1.0.0', '/tools')], { tools: { stable: '1.0.0' } });
    const removed: string[] = [];
    const releases = {
      db: db(),
      store: {
        ...store,
        remove: (unit: string, version: string) => Promise.resolve(void removed.push(unit + version)),
      },
    };

    await removeFiles(releases, [
      { unit: 'tools', version: '1.0.0' },
      { unit: 'tools', version: '0.9.0' },
    ]);
    expect(removed).toEqual(['tools0.9.0']);
  });
});
