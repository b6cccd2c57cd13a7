import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Release } from '@app/contracts/release';
import type { Unit } from '@app/contracts/unit';
import { beforeEach, expect, test } from 'vitest';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { makeFolder, writeFiles } from '#api/test/make-folder.ts';
import { makeRelease } from '#api/test/delivery/pack-release.ts';
import { lockChannels, promoteReleases } from '#api/delivery/channels/channel-changes.ts';
import { publishBuilt } from './publish-built.ts';
import { openRegistry } from '#api/delivery/registry/registry.ts';
import { openReleaseStore, type ReleaseStore } from '#api/delivery/store/release-store.ts';
import { readAudit } from '#api/test/sealed.ts';

const CONTRACT = (version: string) => ({ contract: { version } });

describeEachDatabase('a built release', (db) => {
  let dist: string;
  let folder: string;
  let warnings: string[];

  beforeEach(() => {
    dist = makeFolder();
    folder = makeFolder();
    warnings = [];
    // The code of the server lies there as well.
    mkdirSync(join(dist, 'api/chunks'), { recursive: true });
    build('shell', '1.0.0');
    build('tools', '1.0.0');
  });

  /** Builds a unit, and replaces its earlier build. */
  function build(unit: Unit, version: string, changes: Partial<Release> = {}): string {
    rmSync(join(dist, unit), { recursive: true, force: true });
    return buildBeside(unit, version, changes);
  }

  function buildBeside(unit: Unit, version: string, changes: Partial<Release> = {}): string {
    return writeFiles(join(dist, unit, version), makeRelease(unit, version, changes));
  }

  async function start(failing: Partial<ReleaseStore> = {}) {
    const store = { ...(await openReleaseStore(folder)), ...failing };
    await publishBuilt({ db: db(), store, now: () => 1, warn: (problem) => void warnings.push(problem) }, dist);
    const { revision, units } = (await openRegistry(db())).snapshot();
    return { revision, stable: [...units].map(([unit, { stable }]) => `${unit}@${stable.version}`).join(' ') };
  }

  test('is served after the first start; a second start changes nothing', async () => {
    const first = await start();
    expect([first.stable, warnings]).toEqual(['shell@1.0.0 tools@1.0.0', []]);
    expect(await (await openReleaseStore(folder)).examine('tools', '1.0.0')).toEqual([]);

    expect(await start()).toEqual(first);
    expect(readdirSync(join(folder, '.incoming'))).toEqual([]);
  });

  test('that is newer replaces the earlier build, which becomes the fallback', async () => {
    await start();
    build('tools', '1.1.0');

    expect((await start()).stable).toBe('shell@1.0.0 tools@1.1.0');
    expect((await openRegistry(db())).snapshot().units.get('tools')?.lastGood?.version).toBe('1.0.0');
  });

  test('repairs files missing from the store', async () => {
    const first = await start();
    rmSync(join(folder, 'tools'), { recursive: true });

    expect(await start()).toMatchObject({ stable: first.stable });
    expect(await (await openReleaseStore(folder)).examine('tools', '1.0.0')).toEqual([]);
  });

  test('is served at every start when it is newer than another build of the same unit', async () => {
    const old = buildBeside('tools', '0.9.0');
    utimesSync(join(old, 'release.json'), 1, 1);

    const first = await start();
    expect(first.stable).toBe('shell@1.0.0 tools@1.0.0');
    expect(await start()).toEqual(first);
  });

  test('with a new major of the host API is released for all units at once', async () => {
    await start();
    build('shell', '2.0.0', CONTRACT('2.0'));
    build('tools', '2.0.0', CONTRACT('2.0'));

    expect([(await start()).stable, warnings]).toEqual(['shell@2.0.0 tools@2.0.0', []]);
  });

  test('does not change a channel that an operator changed or locked, and this is logged', async () => {
    await start();
    build('tools', '1.1.0');
    await start();
    await promoteReleases({ db: db() }, [{ unit: 'tools', version: '1.0.0' }], { by: 'olga', at: 2 });
    build('tools', '1.2.0');

    expect((await start()).stable).toBe('shell@1.0.0 tools@1.0.0');
    expect(warnings).toEqual(['tools@1.2.0 was built, but olga has made 1.0.0 the stable one']);

    await lockChannels({ db: db() }, 'shell', 'the fair', { by: 'otto', at: 3 });
    build('shell', '1.1.0');
    expect((await start()).stable).toBe('shell@1.0.0 tools@1.0.0');
    expect(warnings).toContain('shell@1.1.0 was built, but otto has locked the unit');
  });

  test('that is invalid is logged, and blocks neither the start nor other units', async () => {
    mkdirSync(join(dist, 'companion/1.0.0'), { recursive: true });
    mkdirSync(join(dist, 'marketing/1.0.0'), { recursive: true });
    writeFileSync(join(dist, 'marketing/1.0.0/release.json'), '{ "unit": ');
    rmSync(join(build('key-system', '1.0.0'), 'remoteEntry.js'));
    build('unknown', '1.0.0');

    expect((await start()).stable).toBe('shell@1.0.0 tools@1.0.0');
    expect(warnings).toEqual([
      `${join(dist, 'marketing/1.0.0/release.json')} is not the list of a release`,
      'key-system@1.0.0 is not served: remoteEntry.js is missing',
      'unknown@1.0.0 is not served: No unit has the name unknown',
    ]);
    expect(readdirSync(join(folder, '.incoming'))).toEqual([]);
  });

  test('that is incompatible blocks no other unit', async () => {
    build('tools', '1.0.0', CONTRACT('3.0'));

    expect((await start()).stable).toBe('shell@1.0.0');
    expect(warnings).toEqual([
      'tools@1.0.0 was built, but is not the stable one: tools@1.0.0 requires host API 3.0, the shell provides 1.0 (shell@1.0.0)',
    ]);
  });

  test('that cannot be written to the disk does not stop the server, which serves the previous release', async () => {
    const first = await start();
    build('tools', '1.1.0');
    const stage = () => Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC', syscall: 'mkdir' }));

    expect((await start({ stage })).stable).toBe(first.stable);
    expect(warnings).toEqual(['tools@1.1.0 is not served: it cannot be written to the folder of releases: no room']);
  });

  test('whose copy fails half-way leaves no files, and the disk error is logged', async () => {
    const { stage } = await openReleaseStore(folder);

    await start({
      async stage() {
        const staged = await stage();
        mkdirSync(join(staged, 'release.json'));
        return staged;
      },
    });

    expect(warnings).toEqual([
      expect.stringMatching(/^shell@1.0.0 is not served: .*EISDIR/),
      expect.stringMatching(/^tools@1.0.0 is not served: .*EISDIR/),
    ]);
    expect(readdirSync(join(folder, '.incoming'))).toEqual([]);
  });

  test('is published once when two servers start concurrently on one database and folder', async () => {
    const [one, two] = await Promise.all([start(), start()]);

    expect([one.stable, two.stable, warnings]).toEqual(['shell@1.0.0 tools@1.0.0', 'shell@1.0.0 tools@1.0.0', []]);
    expect((await readAudit(db())).filter(({ kind }) => kind === 'release')).toHaveLength(2);
    expect(readdirSync(join(folder, '.incoming'))).toEqual([]);
  });
});
