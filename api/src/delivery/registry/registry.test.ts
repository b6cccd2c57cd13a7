import { expect, test } from 'vitest';
import { buildRelease } from '#api/test/delivery/build-release.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { insertReleases } from '#api/test/delivery/insert-releases.ts';
import { startPeriodic } from '#api/foundation/jobs/periodic-job.ts';
import { promoteReleases } from '#api/delivery/channels/channel-changes.ts';
import { openRegistry } from './registry.ts';
import { createReleasesRepository } from './registry.repository.ts';

describeEachDatabase('the registry in memory', (db) => {
  test('a change is served at once on the server that made it, and within a second on every other', async () => {
    await insertReleases(db(), [buildRelease('tools'), buildRelease('tools', { version: '0.2.0' })], {
      tools: { stable: '0.1.0' },
    });
    const [here, there] = [await openRegistry(db()), await openRegistry(db())];
    const following = startPeriodic(() => there.refresh(), 500);
    const served = ({ snapshot }: typeof here) => snapshot().units.get('tools')?.stable.version;

    await promoteReleases({ db: db() }, [{ unit: 'tools', version: '0.2.0' }], { by: 'test', at: 1 });
    await here.refresh();
    expect(served(here)).toBe('0.2.0');
    await expect.poll(() => served(there)).toBe('0.2.0');
    await following[Symbol.asyncDispose]();
    expect(there.snapshot().units.get('tools')?.lastGood?.version).toBe('0.1.0');
  });

  test('a slow registry read never replaces a newer one, and a failed read does not stop later ones', async () => {
    const releases = ['0.1.0', '0.2.0', '0.3.0'].map((version) => buildRelease('tools', { version }));
    await insertReleases(db(), releases, { tools: { stable: '0.1.0' } });
    let look = () => Promise.resolve();
    const registry = await openRegistry(db(), () => look());
    const served = () => registry.snapshot().units.get('tools')?.stable.version;

    await promoteReleases({ db: db() }, [{ unit: 'tools', version: '0.2.0' }], { by: 'test', at: 1 });
    let goOn = () => {};
    let slow = Promise.resolve();
    await new Promise<void>((reached) => {
      look = () => {
        look = () => Promise.resolve();
        reached();
        return new Promise((resolve) => (goOn = resolve));
      };
      slow = registry.refresh();
    });
    await promoteReleases({ db: db() }, [{ unit: 'tools', version: '0.3.0' }], { by: 'test', at: 2 });
    const next = registry.refresh();
    // Long enough for the second one to finish, if it did not wait.
    for (let times = 0; times < 30; times++) await createReleasesRepository(db()).list();
    goOn();
    await Promise.all([slow, next]);
    expect(served()).toBe('0.3.0');

    look = () => Promise.reject(new Error('by chance'));
    await promoteReleases({ db: db() }, [{ unit: 'tools', version: '0.1.0' }], { by: 'test', at: 3 });
    await expect(registry.refresh()).rejects.toThrow('by chance');
    look = () => Promise.resolve();
    await registry.refresh();
    expect(served()).toBe('0.1.0');
  });

  test('a version removed and republished is served with its new files, without a restart', async () => {
    const first = buildRelease('tools', { version: '0.2.0' });
    await insertReleases(db(), [buildRelease('tools'), first], { tools: { stable: '0.1.0' } });
    const registry = await openRegistry(db());
    expect(await registry.find('tools', '0.2.0')).toEqual(first);

    await createReleasesRepository(db()).remove('tools', '0.2.0');
    const second = buildRelease('tools', { version: '0.2.0', commit: 'abcdef0' });
    await insertReleases(db(), [second], { tools: { stable: '0.2.0' } });
    await registry.refresh();
    expect(await registry.find('tools', '0.2.0')).toEqual(second);
    expect(registry.snapshot().units.get('tools')?.stable).toEqual(second);
  });
});
