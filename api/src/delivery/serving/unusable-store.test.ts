import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolutionSchema } from '@app/contracts/resolution';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createTestApi, openEmptyDb } from '#api/test/create-test-api.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { makeRelease } from '#api/test/delivery/pack-release.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';
import { promoteReleases } from '#api/delivery/channels/channel-changes.ts';
import { publishRoutes } from '#api/delivery/publishing/publish.routes.ts';
import { openReleaseStore, type ReleaseStore } from '#api/delivery/store/release-store.ts';

const NEXT_RELEASE = makeRelease('tools', '0.2.0');

/** Sends a release to a site whose store fails in one step. */
async function publishTo(change: (store: ReleaseStore) => Partial<ReleaseStore>) {
  const db = await openEmptyDb();
  const store = await openReleaseStore(makeFolder());
  const api = await createTestApi({
    db,
    files: [
      publishRoutes({
        releases: { db, store: { ...store, ...change(store) }, now: Date.now },
        auth: {
          requireToken: () => (_req, res, next) => {
            res.locals['deployer'] = 'Team tools';
            next();
          },
          readAgain: () => Promise.resolve(),
        },
        linkTo: () => '',
      }),
    ],
  });
  const answer = await api.ask('/releases/tools/0.2.0', { method: 'PUT', body: 'x' });
  return { status: answer.status, ...((await answer.json()) as object) };
}

const failWith = (code: string) => () => Promise.reject(Object.assign(new Error('mkdir'), { code, syscall: 'mkdir' }));

test.each(['ENOSPC', 'EDQUOT'])('a disk without room even for a folder (%s) is reported as full', async (code) => {
  expect(await publishTo(() => ({ stage: failWith(code) }))).toMatchObject({ status: 503, code: 'server.full' });
});

test.each(['EROFS', 'EACCES', 'EIO'])(
  'a write error of the disk (%s) is reported as the server’s failure',
  async (code) => {
    expect(await publishTo(() => ({ stage: failWith(code) }))).toMatchObject({
      status: 503,
      code: 'release.store',
      retryable: true,
      detail: expect.stringContaining(`(${code})`) as string,
    });
  },
);

test('without its folder of releases the site keeps serving, and publishing reports what to repair', async () => {
  const site = await createPublishFixture();
  const { folder } = site.store;
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, 'no folder');
  site.logged.length = 0;

  const refused = await site.publish('tools', '0.2.0', NEXT_RELEASE);
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    503,
    '5',
    expect.objectContaining({ code: 'release.store', detail: expect.stringContaining('RELEASES_DIR') as string }),
  ]);
  expect(site.logged.join()).toMatch(/RELEASES_DIR.*ENOTDIR/);
  expect((await site.ask('/portfolio')).status).toBe(200);
  expect((await site.ask('/api/federation/resolution')).status).toBe(200);
  expect((await site.ask('/releases/tools/0.1.0/remoteEntry.js')).status).toBe(404);
  await expect(site.store.removeLeftovers()).rejects.toThrow('ENOTDIR');

  rmSync(folder);
  renameSync(`${folder}.away`, folder);
  expect((await site.publish('tools', '0.2.0', NEXT_RELEASE)).status).toBe(201);
  expect(await site.isServed()).toBe(true);
});

test('a missing file is detected without a request, and pages get the previous release', async () => {
  const site = await createPublishFixture();
  await site.publish('tools', '0.2.0', NEXT_RELEASE);
  await promoteReleases(site, [{ unit: 'tools', version: '0.2.0' }], { by: 'olga', at: site.now() });
  const version = async () => {
    const answer = await site.ask('/api/federation/resolution');
    return v.parse(resolutionSchema, await answer.json()).units['tools']?.version;
  };
  await site.followRegistry();
  expect(await version()).toBe('0.2.0');

  for (const ending of ['', '.br', '.gz']) rmSync(join(site.store.folder, `tools/0.2.0/remoteEntry.js${ending}`));
  await site.followRegistry();
  expect(await version()).toBe('0.1.0');
});

test('a removed folder is recreated by the next publication', async () => {
  const site = await createPublishFixture();
  rmSync(site.store.folder, { recursive: true });

  expect((await site.publish('tools', '0.2.0', NEXT_RELEASE)).status).toBe(201);
  expect((await site.ask('/releases/tools/0.2.0/remoteEntry.js')).status).toBe(200);
});

test('a server that finds a file in place of the folder names the wrong setting', async () => {
  const file = join(makeFolder(), 'releases');
  writeFileSync(file, 'no folder');

  await expect(openReleaseStore(file)).rejects.toThrow(`RELEASES_DIR: ${file} cannot be used as a folder for releases`);
});
